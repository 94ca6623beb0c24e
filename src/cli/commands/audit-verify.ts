import { join } from 'node:path'
import { logForms } from '../../audit.ts'
import { findDirectories } from '../../config/directories.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { isLocked } from '../../files/lock.ts'
import { isSessionId } from '../../id.ts'
import { type AuditCheck, type AuditFault, checkAudit } from '../../json/audit/check.ts'
import type { LastMessage } from '../../json/audit/ending.ts'
import { auditPath } from '../../json/audit/log.ts'
import type { JsonObject } from '../../json-value.ts'
import { isLoopMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { Machine } from '../machine.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { findLog } from './audit-choice.ts'
import { type ElfLog, elvesIn } from './audit-elves.ts'

/** A log to check. */
interface Wanted {
  readonly directory: string
  readonly session: string
  /** A hash that it must contain. */
  readonly head?: string | undefined
  /** Its end may be missing. */
  readonly isOpen?: boolean
}

/** The check of an elf's log. */
interface ElfCheck extends AuditCheck {
  readonly elf: ElfLog
}

/**
 * Checks the log of a session, or of the last conversation in this folder, against itself, its session, and the hash of `--head`; then
 * the logs of its elves, against the hashes that it holds of them. Throws `input`, and `check` with the first wrong line.
 */
export async function verifyAudit(wanted: string | undefined, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const { session, directory } = await findLog(wanted, { host, signal })
  const head = flags.text('head')
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new PipeError('usage', `--head takes a hash printed by pipe audit verify, not ${head}`)
  }
  const found = await check({ directory, session, head }, context)
  const elves = await checkElves({ directory, session }, context)
  const broken = elves.find(({ fault }) => fault !== undefined)
  if (flags.format === 'json') {
    const ok = found.fault === undefined && broken === undefined
    const below = elves.length === 0 ? {} : { elves: elves.map(encodeCheck) }
    host.stdout.write(`${printableJson({ session_id: session, ok, ...found, ...below })}\n`)
  }
  if (found.fault !== undefined) throw faultIn(auditPath(directory, session), found.fault)
  if (broken?.fault !== undefined) {
    const { elf, fault } = broken
    throw faultIn(`the elf ${elf.name}: ${auditPath(directory, elf.sessionId)}`, fault)
  }
  if (flags.format === 'json') return
  host.stdout.write(`${session}: ${found.lines} lines, unchanged\nhead ${found.head}\n`)
  for (const { elf, lines } of elves)
    host.stdout.write(`${printable(elf.name)}  ${elf.sessionId}: ${lines} lines, unchanged\n`)
}

function encodeCheck({ elf, ...found }: ElfCheck): JsonObject {
  const { lines, head, fault } = found
  const broken = fault && { line: fault.line, reason: fault.reason }
  const facts = { name: elf.name, session_id: elf.sessionId, ok: fault === undefined, lines, head }
  return { ...facts, ...omitUndefined({ fault: broken }) }
}

function faultIn(path: string, { line, reason }: AuditFault): PipeError {
  return new PipeError('check', `${path}, line ${line}: ${reason}`, {
    details: { line: String(line), reason },
  })
}

async function checkElves(
  { directory, session }: Pick<Wanted, 'directory' | 'session'>,
  context: RunContext,
): Promise<readonly ElfCheck[]> {
  const checks: ElfCheck[] = []
  for (const elf of await elvesIn(session, { directory, signal: context.signal })) {
    const { sessionId, head } = elf
    try {
      const found = await check({ directory, session: sessionId, head, isOpen: head === undefined }, context)
      checks.push({ elf, ...found })
    } catch (error) {
      if (!isPipeError(error) || error.code !== 'not_found') throw error
      // An elf that was killed early has written nothing.
      if (head !== undefined) checks.push({ elf, lines: 0, head: '', fault: { line: 1, reason: missing } })
    }
  }
  return checks
}

const missing = 'the log is missing, and the log of its parent holds its last hash'

async function check(
  { directory, session, head, isOpen = false }: Wanted,
  { host, signal }: RunContext,
): Promise<AuditCheck> {
  const directories = findDirectories(host.env, host.home)
  const isOfSession = directory === directories.audit
  // Checked before the log is read, because it may grow meanwhile.
  const isGrowing =
    isOpen ||
    (isOfSession &&
      isLocked(join(directories.sessions, `${session}.lock`), { host: host.hostname, clock: host.clock }))
  const lastMessage = isOfSession ? await findLastMessage(session, host, signal) : undefined
  return checkAudit({ directory, session, isGrowing, signal, ...omitUndefined({ head, lastMessage }) })
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
