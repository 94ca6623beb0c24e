import { throwIfAborted } from '../error.ts'
import type { SessionId } from '../id.ts'
import type { Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Damage, LoadedSession, Session } from '../session.ts'
import { blobsOf } from './blobs.ts'
import { decodeMessage, decodeMessageId, decodeUsage } from './decode.ts'
import { decodePending } from './decode-question.ts'
import type { Document } from './document.ts'
import type { Row } from './scan.ts'
import type { DiskBlob, DiskEnvelope, DiskMessage } from './schema.ts'
import { isDiskEnvelope, isDiskMessage } from './session-check.ts'

export interface SessionFiles {
  readonly id: SessionId
  /** Folder of the session's blobs. */
  readonly blobs: string
}

/** Builds a session from its file and reports the unusable parts as damage. Throws `aborted`. */
export async function loadSession(
  document: Document,
  files: SessionFiles,
  signal: AbortSignal,
): Promise<LoadedSession> {
  const damage = [...document.damage]
  const envelope = await readEnvelope(document, damage)
  const messages: Message[] = []
  for (const row of document.rows) {
    throwIfAborted(signal)
    const disk = await readMessage(row, damage)
    if (disk !== undefined) messages.push(await inflate(disk, row, { files, damage }))
  }
  return {
    session: { ...readState(envelope, document.modified, files.id), messages },
    damage: damage.toSorted((a, b) => a.line - b.line),
  }
}

function readState(envelope: DiskEnvelope, modified: number, id: SessionId): Omit<Session, 'messages'> {
  const { system_prompt, created_at, updated_at, cwd, title, head, model, usage, cost_usd, pending } =
    envelope
  const seen = new Date(modified).toISOString()
  return {
    id,
    systemPrompt: system_prompt ?? '',
    createdAt: created_at ?? seen,
    updatedAt: updated_at ?? seen,
    ...omitUndefined({
      cwd,
      title,
      head: head === undefined ? undefined : decodeMessageId(id, head),
      model,
      usage: usage === undefined ? undefined : decodeUsage(usage),
      costUsd: cost_usd,
      pending: pending?.flatMap(decodePending),
    }),
  }
}

async function readEnvelope({ fields }: Document, damage: Damage[]): Promise<DiskEnvelope> {
  const { pending, ...rest } = fields
  if (pending === undefined && isDiskEnvelope(rest)) return rest
  const { salvageEnvelope } = await import('./salvage.ts')
  return salvageEnvelope(fields, damage)
}

async function readMessage(row: Row, damage: Damage[]): Promise<DiskMessage | undefined> {
  if (isDiskMessage(row.value)) return row.value
  const { salvageMessage } = await import('./salvage.ts')
  return salvageMessage(row, damage)
}

interface Reading {
  readonly files: SessionFiles
  readonly damage: Damage[]
}

async function inflate(disk: DiskMessage, row: Row, { files, damage }: Reading): Promise<Message> {
  const wanted = blobsOf(disk)
  const bytes = wanted.length === 0 ? undefined : await readBytesOf(wanted, files.blobs)
  for (const { sha256 } of wanted) {
    if (bytes?.has(sha256) !== true) {
      damage.push({
        line: row.line,
        reason: `message ${row.position + 1}: its file ${sha256} is missing or damaged`,
      })
    }
  }
  const ids = {
    id: decodeMessageId(files.id, disk.id ?? String(row.position)),
    parentId: disk.parent_id === undefined ? undefined : decodeMessageId(files.id, disk.parent_id),
  }
  return decodeMessage(disk, ids, (sha256) => bytes?.get(sha256))
}

async function readBytesOf(blobs: readonly DiskBlob[], folder: string): Promise<ReadonlyMap<string, string>> {
  const { readBlobs } = await import('./blob-files.ts')
  return readBlobs(blobs, folder)
}
