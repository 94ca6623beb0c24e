import { minuteOf, secondOf } from '../../../characters/shown-time.ts'
import { findDirectories } from '../../../config/directories.ts'
import { auditsAbout, readAudit, type StoredEntry } from '../../../json/audit/read-audit-log.ts'
import type { JsonObject, JsonValue } from '../../../json-value.ts'
import { describeCall } from '../../../line/tool-line.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visible } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'
import { withLog } from './audit-choice.ts'
import type { NamedLog } from './named-log.ts'

/** Prints the log of a session, or of the last conversation in this folder: one line per entry, or as JSON like `exportAudit`. Throws `input`. */
export async function showAudit(session: string | undefined, context: RunContext): Promise<void> {
  const show = context.flags.format === 'json' ? exportLog : showLog
  return withLog(session, context, (log) => show(log, context))
}

/** Prints the same log as one JSON document. Throws `input`. */
export async function exportAudit(session: string | undefined, context: RunContext): Promise<void> {
  return withLog(session, context, (log) => exportLog(log, context))
}

/** Lists the logs about this folder, newest first: one line each, or one JSON document. */
export async function listAudits({ host, flags, signal }: RunContext): Promise<void> {
  const directory = findDirectories(host.env, host.home).audit
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'logs') : undefined
  for await (const { session, modifiedAt } of auditsAbout(host.cwd, { directory, signal })) {
    if (listed !== undefined) listed.add({ session_id: session, updated_at: modifiedAt })
    else host.stdout.write(`${session}  ${minuteOf(modifiedAt)}\n`)
  }
  listed?.end()
}

async function showLog(log: NamedLog, { host }: RunContext): Promise<void> {
  for await (const entry of readAudit(log.lines())) {
    const time = secondOf(entry.timestamp)
    host.stdout.write(`${oneLine(`${time}  ${entry.decision.padEnd(19)}  ${describe(entry)}`)}\n`)
  }
}

const width = 200

function oneLine(text: string): string {
  const line = visible(text.replace(/\s*\n\s*/g, ' ⏎ ')).trimEnd()
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

function describe({ actor, decision, message, audit }: StoredEntry): string {
  if (decision === 'feedback') return `${actor}: ${text(audit['feedback'])} (on ${text(audit['message_id'])})`
  switch (message?.['type']) {
    case 'user':
    case 'assistant_text':
    case 'system_context':
      return `${actor}: ${text(message['content'])}`
    case 'assistant_action':
      return `${actor}: ${describeCall(text(message['tool_name']), message['tool_args'] ?? null)}`
    case 'tool_result':
    case 'tool_error':
      return `${text(message['tool_name'])}: ${facts(audit, ['is_error', 'exit_code', 'duration_ms', 'text_bytes', 'files'])}`
    default:
      return `${actor}: ${facts(audit, Object.keys(audit))}`
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function facts(audit: JsonObject, names: readonly string[]): string {
  const told = names.flatMap((name) => (audit[name] === undefined ? [] : [`${name}=${text(audit[name])}`]))
  return told.join(' ')
}

/** Prints `{"entries": […]}`. Each entry includes the log form of its message, if it has one. */
async function exportLog(log: NamedLog, { host }: RunContext): Promise<void> {
  const requested = new Map<string, JsonObject>()
  let lead = '{"entries": [\n'
  for await (const entry of readAudit(log.lines())) {
    const { id, timestamp, decision, actor, audit } = entry
    const call = text(audit['call_id'])
    const message = entry.message ?? requested.get(call) ?? null
    if (decision === 'tool_call_requested' && entry.message !== null) requested.set(call, entry.message)
    if (decision.startsWith('tool_') && decision !== 'tool_call_requested') requested.delete(call)
    host.stdout.write(lead + printableJson({ id, timestamp, message, decision, audit: { actor, ...audit } }))
    lead = ',\n'
  }
  host.stdout.write(lead === ',\n' ? '\n]}\n' : `${lead}]}\n`)
}
