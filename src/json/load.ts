import { throwIfAborted } from '../error.ts'
import type { SessionId } from '../id.ts'
import type { Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Damage, LoadedSession, Session } from '../session.ts'
import { readBlobs } from './blob-files.ts'
import { blobsOf } from './blobs.ts'
import { decodeMessage, decodeMessageId, decodeUsage } from './decode.ts'
import { decodePending } from './decode-question.ts'
import type { Document } from './document.ts'
import type { Row } from './scan.ts'
import { blockSchema, type DiskEnvelope, type DiskMessage, envelopeSchema, messageSchema } from './schema.ts'

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
  const envelope = readEnvelope(document, damage)
  const messages: Message[] = []
  for (const row of document.rows) {
    throwIfAborted(signal)
    const disk = readMessage(row, damage)
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

/** Returns the valid fields and reports the others. */
function readEnvelope({ fields }: Document, damage: Damage[]): DiskEnvelope {
  const parsed = envelopeSchema.safeParse(fields)
  if (parsed.success) return parsed.data
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
  damage.push(...Array.from(wrong, (name) => ({ line: 1, reason: `the session's ${name} cannot be read` })))
  const rest = Object.entries(fields).filter(([name]) => !wrong.has(name))
  return envelopeSchema.parse(Object.fromEntries(rest))
}

/** Returns the message without its invalid blocks; `undefined` if nothing valid is left. */
function readMessage(row: Row, damage: Damage[]): DiskMessage | undefined {
  const parsed = messageSchema.safeParse(row.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  damage.push({ line: row.line, reason: `message ${row.position + 1}: ${describe(issue)}` })
  const content = row.value['content']
  if (!Array.isArray(content)) return undefined
  const good = content.filter((block) => blockSchema.safeParse(block).success)
  const rest = messageSchema.safeParse({ ...row.value, content: good })
  return rest.success && good.length > 0 ? rest.data : undefined
}

function describe(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  const field = issue?.path.join('.') ?? ''
  return field.endsWith('type')
    ? `its ${field} is unknown to this version of pipe`
    : `${field}: ${issue?.message}`
}

interface Reading {
  readonly files: SessionFiles
  readonly damage: Damage[]
}

async function inflate(disk: DiskMessage, row: Row, { files, damage }: Reading): Promise<Message> {
  const wanted = blobsOf(disk)
  const bytes = wanted.length === 0 ? undefined : await readBlobs(wanted, files.blobs)
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
