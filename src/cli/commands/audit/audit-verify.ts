import { toLog } from '../../../audit.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import { type AuditCheck, checkAudit } from '../../../json/audit/check.ts'
import type { LastMessage } from '../../../json/audit/ending.ts'
import type { JsonObject } from '../../../json-value.ts'
import { isLoopMessage } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { RunContext } from '../../run-context.ts'
import { withLog } from './audit-choice.ts'
import { type ElfLog, elvesIn } from './audit-elves.ts'
import type { NamedLog } from './named-log.ts'

/** The check of one log. */
interface LogCheck extends AuditCheck {
  /** The place of the log, for people. */
  readonly place: string
}

/** The check of an elf's log. */
interface ElfCheck extends LogCheck {
  readonly elf: ElfLog
}

/**
 * Checks the log of a session, or of the last conversation in this folder, against itself, its session, and the hash of `--head`; then
 * the logs of its elves, against the hashes that it holds of them. Throws `input`, and `check` with the first wrong line.
 */
export async function verifyAudit(wanted: string | undefined, context: RunContext): Promise<void> {
  const head = context.flags.text('head')
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new PipeError('usage', `--head takes a hash printed by pipe audit verify, not ${head}`)
  }
  await withLog(wanted, context, (log) => verifyLog(log, head, context))
}

async function verifyLog(log: NamedLog, head: string | undefined, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const { session } = log
  const found = await check(log, { head }, signal)
  const elves = await checkElves(log, context)
  const broken = elves.find(({ fault }) => fault !== undefined)
  if (flags.format === 'json') {
    const { place: _, ...facts } = found
    const ok = found.fault === undefined && broken === undefined
    const below = elves.length === 0 ? {} : { elves: elves.map(encodeCheck) }
    host.stdout.write(`${printableJson({ session_id: session, ok, ...facts, ...below })}\n`)
  }
  requireWhole(found)
  if (broken !== undefined) requireWhole({ ...broken, place: `the elf ${broken.elf.name}: ${broken.place}` })
  if (flags.format === 'json') return
  host.stdout.write(`${session}: ${found.lines} lines, unchanged\nhead ${found.head}\n`)
  for (const { elf, lines } of elves)
    host.stdout.write(`${printable(elf.name)}  ${elf.sessionId}: ${lines} lines, unchanged\n`)
}

function encodeCheck({ elf, lines, head, fault }: ElfCheck): JsonObject {
  const facts = { name: elf.name, session_id: elf.sessionId, ok: fault === undefined, lines, head }
  return { ...facts, ...omitUndefined({ fault: fault && { line: fault.line, reason: fault.reason } }) }
}

function requireWhole({ place, fault }: LogCheck): void {
  if (fault === undefined) return
  const { line, reason } = fault
  throw new PipeError('check', `${place}, line ${line}: ${reason}`, {
    details: { line: String(line), reason },
  })
}

async function checkElves(parent: NamedLog, context: RunContext): Promise<readonly ElfCheck[]> {
  const checks: ElfCheck[] = []
  for (const elf of await elvesIn(parent)) {
    const { sessionId, head } = elf
    const isOpen = head === undefined
    try {
      const found = await withLog(sessionId, context, (log) => check(log, { head, isOpen }, context.signal))
      checks.push({ elf, ...found })
    } catch (error) {
      if (!isPipeError(error) || (error.code !== 'not_found' && error.code !== 'input')) throw error
      // An elf that was killed early has written nothing.
      if (!isOpen)
        checks.push({ elf, place: sessionId, lines: 0, head: '', fault: { line: 1, reason: missing } })
    }
  }
  return checks
}

const missing = 'the log is missing, and the log of its parent holds its last hash'

/** Checks one log. `isOpen`: its end may be missing. */
async function check(
  log: NamedLog,
  { head, isOpen = false }: { readonly head: string | undefined; readonly isOpen?: boolean },
  signal: AbortSignal,
): Promise<LogCheck> {
  const { session, place } = log
  // Checked before the log is read, because it may grow meanwhile.
  const isGrowing = isOpen || (await log.isGrowing())
  const lastMessage = await findLastMessage(log, signal)
  const found = await checkAudit(log.lines(), { session, isGrowing, head, lastMessage })
  return { place, ...found }
}

/** Finds the session's last message that must be in the log. `undefined` if the session is unreadable or deleted. */
async function findLastMessage(
  { session, sessions }: NamedLog,
  signal: AbortSignal,
): Promise<LastMessage | undefined> {
  if (sessions === undefined) return undefined
  try {
    const { messages } = (await sessions.load(session, { signal })).session
    const last = messages.findLast((message) => !isLoopMessage(message) && toLog(message).length > 0)
    if (last === undefined) return undefined
    return { id: last.id, ...(last.type === 'tool_result' ? { callId: last.toolCallId } : {}) }
  } catch (error) {
    if (isPipeError(error) && (error.code === 'not_found' || error.code === 'input')) return undefined
    throw error
  }
}
