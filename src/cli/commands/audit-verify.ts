import { join } from 'node:path'
import { logForms } from '../../audit.ts'
import { findDirectories } from '../../config/directories.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { isLocked } from '../../files/lock.ts'
import { isSessionId } from '../../id.ts'
import { checkAudit } from '../../json/audit/check.ts'
import type { LastMessage } from '../../json/audit/ending.ts'
import { auditPath } from '../../json/audit/log.ts'
import { isLoopMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { Machine } from '../machine.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { findLog } from './audit-choice.ts'

/**
 * Checks the log of a session, or of the last conversation in this folder, against itself, its session, and the hash of `--head`.
 * Throws `input`, and `check` with the first wrong line.
 */
export async function verifyAudit(
  wanted: string | undefined,
  { host, flags, signal }: RunContext,
): Promise<void> {
  const { session, directory } = await findLog(wanted, { host, signal })
  const head = flags.text('head')
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new PipeError('usage', `--head takes a hash printed by pipe audit verify, not ${head}`)
  }
  const directories = findDirectories(host.env, host.home)
  const isOfSession = directory === directories.audit
  // Checked before the log is read, because it may grow meanwhile.
  const isGrowing =
    isOfSession &&
    isLocked(join(directories.sessions, `${session}.lock`), { host: host.hostname, clock: host.clock })
  const lastMessage = isOfSession ? await findLastMessage(session, host, signal) : undefined
  const found = await checkAudit({
    directory,
    session,
    isGrowing,
    signal,
    ...omitUndefined({ head, lastMessage }),
  })
  const { fault } = found
  if (flags.format === 'json') {
    host.stdout.write(`${printableJson({ session_id: session, ok: fault === undefined, ...found })}\n`)
  }
  if (fault !== undefined) {
    throw new PipeError('check', `${auditPath(directory, session)}, line ${fault.line}: ${fault.reason}`, {
      details: { line: String(fault.line), reason: fault.reason },
    })
  }
  if (flags.format === 'json') return
  host.stdout.write(`${session}: ${found.lines} lines, unchanged\nhead ${found.head}\n`)
}

/** Finds the session's last message that must be in the log. `undefined` if the session is unreadable or deleted. */
async function findLastMessage(
  session: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<LastMessage | undefined> {
  if (!isSessionId(session)) return undefined
  try {
    const { messages } = (await openSessions(machine).load(session, { signal })).session
    const last = messages.findLast((message) => !isLoopMessage(message) && logForms(message).length > 0)
    if (last === undefined) return undefined
    return { id: last.id, ...(last.type === 'tool_result' ? { callId: last.toolCallId } : {}) }
  } catch (error) {
    if (isPipeError(error) && (error.code === 'not_found' || error.code === 'input')) return undefined
    throw error
  }
}
