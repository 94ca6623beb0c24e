import { PipeError } from '../../error.ts'
import type { TextLine } from '../../files/reading/split-lines.ts'
import type { JsonObject } from '../../json-value.ts'
import { auditVersion, type Opened, openLine, type Seal, unsealed } from './audit-line.ts'
import { Ending, type LastMessage } from './ending.ts'

/** The result of a log's check. */
export interface AuditCheck {
  /** Intact lines from the start. */
  readonly lines: number
  /** Hash of the last intact line. A copy kept elsewhere proves that no line was cut off. */
  readonly head: string
  /** The first fault. Absent if the log is intact. */
  readonly fault?: AuditFault
}

export interface AuditFault {
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

export interface CheckOptions {
  readonly session: string
  /** An earlier head of the log. */
  readonly head?: string | undefined
  /** The session's last message that must have an entry. */
  readonly lastMessage?: LastMessage | undefined
  /** Whether a run still writes to the log, so that its end may be missing. */
  readonly isGrowing?: boolean
}

/**
 * Checks all lines of a log for the first that was altered, removed, moved or cut. Detects lines missing at its end by the given head, an
 * unfinished turn, or a longer session. Throws `input` for a log of a newer version.
 */
export async function checkAudit(lines: AsyncIterable<TextLine>, options: CheckOptions): Promise<AuditCheck> {
  let last = unsealed
  let isHeadFound = options.head === undefined
  const ending = new Ending(options.lastMessage)
  for await (const line of lines) {
    const found = judge(line, last, options)
    if ('reason' in found) return { lines: last.seq, head: last.hash, fault: found }
    last = found.seal
    isHeadFound ||= last.hash === options.head
    ending.see(found.fields)
  }
  const all = { lines: last.seq, head: last.hash }
  if (last.seq === 0) return { ...all, fault: { line: 1, reason: 'the log is empty' } }
  const cut = isHeadFound ? undefined : 'no line up to here has the given hash: lines were cut off'
  const reason = cut ?? (options.isGrowing === true ? undefined : ending.gap)
  return reason === undefined ? all : { ...all, fault: { line: last.seq + 1, reason } }
}

function judge(
  { number, bytes, whole }: TextLine,
  last: Seal,
  { session }: Pick<CheckOptions, 'session'>,
): Opened | AuditFault {
  const fault = (reason: string): AuditFault => ({ line: number, reason })
  if (!whole) return fault('it is cut')
  const opened = openLine(bytes)
  if (opened === undefined) return fault('it was altered: its hash does not match')
  const { seal, fields } = opened
  if (seal.seq !== number)
    return fault(`it holds line ${seal.seq}: a line before it was removed, moved or added`)
  if (fields['prev'] !== last.hash) return fault('it does not follow the line before it')
  if (number === 1) {
    const wrong = judgeHeader(fields, session)
    if (wrong !== undefined) return fault(wrong)
  }
  return opened
}

function judgeHeader(fields: JsonObject, session: string): string | undefined {
  const { version, session_id } = fields
  if (typeof version === 'number' && version > auditVersion) {
    throw new PipeError('input', `the log has version ${version}, which needs a newer pipe`)
  }
  if (fields['type'] !== 'audit') return 'it is not a header'
  return session_id === session
    ? undefined
    : `it is the header of another session's log: ${String(session_id)}`
}
