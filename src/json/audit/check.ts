import { PipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import { type Line, readLines } from '../lines.ts'
import { Ending, type LastMessage } from './ending.ts'
import { auditVersion, type Opened, openLine, type Seal, unsealed } from './line.ts'
import { auditPath } from './log.ts'
import { openLog } from './read.ts'

/** What became of a log since it was written. */
export interface AuditCheck {
  /** Lines that are as they were written. */
  readonly lines: number
  /** Hash of the last of them: kept elsewhere, it proves that none was cut off. */
  readonly head: string
  /** The first line that is not, and why. Absent where all is well. */
  readonly fault?: AuditFault
}

export interface AuditFault {
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

export interface CheckOptions {
  readonly directory: string
  readonly session: string
  /** A hash that the log had as its head once. */
  readonly head?: string
  /** The session's last one that is to have an entry. */
  readonly lastMessage?: LastMessage
  /** A run still writes to it: its end may be missing. */
  readonly isGrowing?: boolean
  readonly signal: AbortSignal
}

/**
 * Reads a whole log and finds the first line that was altered, removed, moved or cut. Lines that are missing whole at its end are
 * told by the given head, a turn without its end, and a session that goes further. Throws `not_found`; `input` for a log of a newer
 * version.
 */
export async function checkAudit(options: CheckOptions): Promise<AuditCheck> {
  const file = await openLog(auditPath(options.directory, options.session))
  try {
    let last = unsealed
    let isHeadFound = options.head === undefined
    const ending = new Ending(options.lastMessage)
    for await (const line of readLines(file, options.signal)) {
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
  } finally {
    await file.close()
  }
}

function judge(
  { number, bytes, whole }: Line,
  last: Seal,
  { session }: Pick<CheckOptions, 'session'>,
): Opened | AuditFault {
  const fault = (reason: string): AuditFault => ({ line: number, reason })
  if (!whole) return fault('it is cut')
  const opened = openLine(bytes)
  if (opened === undefined) return fault('it was altered: its hash does not fit it')
  const { seal, fields } = opened
  if (seal.seq !== number)
    return fault(`line ${seal.seq} stands here: a line before it was removed, moved or added`)
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
  if (fields['type'] !== 'audit') return 'it is no header'
  return session_id === session ? undefined : `it begins the log of another session: ${String(session_id)}`
}
