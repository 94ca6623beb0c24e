import { logForms } from '../../audit.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { checkAudit } from '../../json/audit/check.ts'
import type { LastMessage } from '../../json/audit/ending.ts'
import { isLoopMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { RunContext } from '../run-context.ts'
import { withLog } from './audit-choice.ts'
import type { NamedLog } from './named-log.ts'

/**
 * Checks the log of a session, or of the last conversation in this folder, against itself, its session, and the hash of `--head`.
 * Throws `input`, and `check` with the first wrong line.
 */
export async function verifyAudit(wanted: string | undefined, context: RunContext): Promise<void> {
  const head = context.flags.text('head')
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new PipeError('usage', `--head takes a hash printed by pipe audit verify, not ${head}`)
  }
  await withLog(wanted, context, (log) => verifyLog(log, head, context))
}

async function verifyLog(
  log: NamedLog,
  head: string | undefined,
  { host, flags, signal }: RunContext,
): Promise<void> {
  const { session, place } = log
  // Checked before the log is read, because it may grow meanwhile.
  const isGrowing = await log.isGrowing()
  const lastMessage = await findLastMessage(log, signal)
  const found = await checkAudit(log.lines(), { session, isGrowing, ...omitUndefined({ head, lastMessage }) })
  const { fault } = found
  if (flags.format === 'json') {
    host.stdout.write(`${printableJson({ session_id: session, ok: fault === undefined, ...found })}\n`)
  }
  if (fault !== undefined) {
    throw new PipeError('check', `${place}, line ${fault.line}: ${fault.reason}`, {
      details: { line: String(fault.line), reason: fault.reason },
    })
  }
  if (flags.format === 'json') return
  host.stdout.write(`${session}: ${found.lines} lines, unchanged\nhead ${found.head}\n`)
}

/** Finds the session's last message that must be in the log. `undefined` if the session is unreadable or deleted. */
async function findLastMessage(
  { session, sessions }: NamedLog,
  signal: AbortSignal,
): Promise<LastMessage | undefined> {
  if (sessions === undefined) return undefined
  try {
    const { messages } = (await sessions.load(session, { signal })).session
    const last = messages.findLast((message) => !isLoopMessage(message) && logForms(message).length > 0)
    if (last === undefined) return undefined
    return { id: last.id, ...(last.type === 'tool_result' ? { callId: last.toolCallId } : {}) }
  } catch (error) {
    if (isPipeError(error) && (error.code === 'not_found' || error.code === 'input')) return undefined
    throw error
  }
}
