import { throwIfAborted } from '../../error.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Damage, LoadedSession, ParentCall, Session } from '../../session.ts'
import { decodeMessage, decodeMessageId, decodeUsage, type MessageIds } from '../documents/decode.ts'
import { decodePending } from '../documents/decode-question.ts'
import type { DiskBlob, DiskEnvelope, DiskMessage } from '../documents/schema.ts'
import { isDiskEnvelope, isDiskMessage } from '../documents/session-check.generated.ts'
import { blobsOf } from './blobs.ts'
import type { Document } from './document.ts'
import type { ScannedRow } from './scan.ts'

export interface SessionOrigin {
  readonly id: SessionId
  /** Reads blobs as base64 by their SHA-256. Leaves out missing and damaged ones. */
  readBlobs(blobs: readonly DiskBlob[]): Promise<ReadonlyMap<string, string>>
}

/** Builds a session from what is stored of it and reports the unusable parts as damage. Throws `aborted`. */
export async function loadSession(
  document: Pick<Document, 'fields' | 'rows' | 'damage' | 'modified'>,
  { id, readBlobs }: SessionOrigin,
  signal: AbortSignal,
): Promise<LoadedSession> {
  const damage = [...document.damage]
  const envelope = await readEnvelope(document, damage)
  const messages: Message[] = []
  for (const row of document.rows) {
    throwIfAborted(signal)
    const disk = isDiskMessage(row.value) ? row.value : await salvage(row, damage)
    if (disk === undefined) continue
    const wanted = blobsOf(disk)
    const found = wanted.length === 0 ? noBlobs : await readBlobs(wanted)
    if (found.size < wanted.length) damage.push(...missing(wanted, found, row))
    messages.push(decodeMessage(disk, idsOf(disk, row, id), (sha256) => found.get(sha256)))
  }
  return {
    session: { ...readState(envelope, document.modified, id), messages },
    damage: damage.toSorted((a, b) => a.line - b.line),
  }
}

function readState(envelope: DiskEnvelope, modified: number, id: SessionId): Omit<Session, 'messages'> {
  const { system_prompt, created_at, updated_at, title, model, usage, cost_usd, pending, moved_to } = envelope
  const { head, last_turn: lastTurn } = envelope
  const seen = new Date(modified).toISOString()
  return {
    id,
    systemPrompt: system_prompt ?? '',
    createdAt: created_at ?? seen,
    updatedAt: updated_at ?? seen,
    ...omitUndefined({
      cwd: moved_to ?? envelope.cwd,
      parent: decodeParent(envelope),
      title,
      head: head === undefined ? undefined : decodeMessageId(id, head),
      model,
      usage: usage === undefined ? undefined : decodeUsage(usage),
      costUsd: cost_usd,
      lastTurn: lastTurn && { ...lastTurn, after: decodeMessageId(id, lastTurn.after) },
      pending: pending?.flatMap(decodePending),
      movedTo: moved_to,
    }),
  }
}

function decodeParent(envelope: DiskEnvelope): ParentCall | undefined {
  const { parent_session_id: parent, parent_call_id: callId } = envelope
  if (callId === undefined || parent === undefined || !isSessionId(parent)) return undefined
  return { sessionId: parent, callId }
}

async function readEnvelope({ fields }: Pick<Document, 'fields'>, damage: Damage[]): Promise<DiskEnvelope> {
  if (isDiskEnvelope(fields)) return fields
  const { salvageEnvelope } = await import('./salvage.ts')
  return salvageEnvelope(fields, damage)
}

async function salvage(row: ScannedRow, damage: Damage[]): Promise<DiskMessage | undefined> {
  const { salvageMessage } = await import('./salvage.ts')
  return salvageMessage(row, damage)
}

/** Bytes as base64, by their SHA-256. */
type Blobs = ReadonlyMap<string, string>

const noBlobs: Blobs = new Map()

function missing(wanted: readonly DiskBlob[], found: Blobs, row: ScannedRow): readonly Damage[] {
  return wanted
    .filter(({ sha256 }) => !found.has(sha256))
    .map(({ sha256 }) => ({
      line: row.line,
      reason: `message ${row.position + 1}: its file ${sha256} is missing or damaged`,
    }))
}

function idsOf(
  { id, parent_id: parent }: DiskMessage,
  { position }: ScannedRow,
  session: SessionId,
): MessageIds {
  return {
    id: decodeMessageId(session, id ?? String(position)),
    parentId: parent === undefined ? undefined : decodeMessageId(session, parent),
  }
}
