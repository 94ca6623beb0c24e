import { findDirectories } from '../../config/directories.ts'
import { unreachable } from '../../error.ts'
import { findAudit, newestAudit, readAudit, type StoredEntry } from '../../json/audit/read.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { visible } from '../../terminal/visible.ts'
import { describeCall } from '../run/tool-line.ts'
import { trustLog } from '../wiring/audit-log.ts'
import type { AuditCommand } from './audit-command.ts'
import { verifyAudit } from './audit-verify.ts'
import type { CommandContext } from './run-command.ts'

/** Shows, exports and checks audit logs, and takes feedback on a message. Throws `check` for a log that is not as it was written. */
export async function runAudit(command: AuditCommand, context: CommandContext): Promise<void> {
  switch (command.action) {
    case 'show':
      return (context.flags.format === 'json' ? exportLog : showLog)(
        await findLog(command.session, context),
        context,
      )
    case 'export':
      return exportLog(await findLog(command.session, context), context)
    case 'verify':
      return verifyAudit(await findLog(command.session, context), context)
    case 'feedback': {
      const { leaveFeedback } = await import('./audit-feedback.ts')
      return leaveFeedback(command, context)
    }
    default:
      return unreachable(command)
  }
}

/** Which log: that of a session, or that of trust in folders. */
export interface NamedLog {
  readonly session: string
  readonly directory: string
}

async function findLog(text: string | undefined, { host, signal }: CommandContext): Promise<NamedLog> {
  const trust = trustLog(host)
  if (text === trust.session) return { ...trust, session: await findAudit(text, trust) }
  const directory = findDirectories(host.env, host.home).audit
  const session = await (text === undefined
    ? newestAudit(host.cwd, { directory, signal })
    : findAudit(text, { directory }))
  return { session, directory }
}

async function showLog({ session, directory }: NamedLog, { host, signal }: CommandContext): Promise<void> {
  for await (const entry of readAudit(session, { directory, signal })) {
    const time = entry.timestamp.slice(0, 19).replace('T', ' ')
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

/** `{"entries": […]}`, each with the log form of the message it is about, where it is about one. */
async function exportLog({ session, directory }: NamedLog, { host, signal }: CommandContext): Promise<void> {
  const requested = new Map<string, JsonObject>()
  let lead = '{"entries": [\n'
  for await (const entry of readAudit(session, { directory, signal })) {
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
