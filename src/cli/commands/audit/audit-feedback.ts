import { localUser } from '../../../actor.ts'
import { toLog } from '../../../audit.ts'
import { PipeError } from '../../../error.ts'
import type { SessionId } from '../../../id.ts'
import { type Message, textContent } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { SessionStore } from '../../../session.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { looksLikeId } from '../../session-argument.ts'
import { openAudit, openRedactor } from '../../wiring/audit/open-audit-log.ts'
import { findSession } from '../../wiring/session/found-session.ts'
import { leaveNote } from '../../wiring/session/open-checkpoints.ts'
import { openSessions } from '../../wiring/session-records.ts'

export interface Feedback {
  /** The message's id, or a prefix of it. */
  readonly message: string
  readonly text: string
}

/** Records the user's feedback on a message in the audit log and sends it to the model with the next message. Throws `usage`, `input`. */
export async function leaveFeedback(
  { message: wanted, text }: Feedback,
  { host, flags, signal }: RunContext,
): Promise<void> {
  if (!looksLikeId(wanted)) {
    throw usageError(
      `${JSON.stringify(wanted)} is not a message id, as in: pipe audit feedback 5f0c1e8a "please reconsider"`,
      'pipe audit --help',
    )
  }
  const store = openSessions(host, flags.duration('wait-lock'))
  const { session, message } = await findMessage(wanted, store, { host, flags, signal })
  const { log } = await store.open(session, { signal })
  try {
    const audit = openAudit(host, log, { isKept: true, redact: await openRedactor(host) })
    try {
      const [about] = toLog(message)
      const facts = { message_id: message.id, feedback: text }
      audit.append({
        decision: 'feedback',
        actor: localUser,
        audit: facts,
        ...omitUndefined({ message: about }),
      })
    } finally {
      await audit.close()
    }
    leaveNote(host, session, noteToModel(message, text))
  } finally {
    await log.close()
  }
  host.stdout.write(`the model gets it with the next message of the session: pipe -r ${session}\n`)
}

interface Found {
  readonly session: SessionId
  readonly message: Message
}

/** Finds a message by its id or a unique prefix, in the session of `-s` or in those of this folder. */
async function findMessage(
  wanted: string,
  store: SessionStore,
  { host, flags, signal }: Omit<RunContext, 'interruption'>,
): Promise<Found> {
  const named = flags.text('session')
  const only = named === undefined ? undefined : await findSession(named, { store, signal })
  for await (const { id } of only === undefined ? store.list({ cwd: host.cwd, signal }) : [{ id: only }]) {
    const { messages } = (await store.load(id, { signal })).session
    const matches = messages.filter((message) => message.id.startsWith(wanted))
    const [message, second] = matches
    if (second !== undefined)
      throw new PipeError('input', `several messages of session ${id} begin with ${wanted}`)
    if (message !== undefined) return { session: id, message }
  }
  const where = named === undefined ? `the sessions of ${host.cwd}` : `session ${named}`
  throw new PipeError('input', `no message ${wanted} in ${where}; pipe audit export shows their ids`)
}

const excerptLength = 200

function noteToModel(message: Message, text: string): string {
  const said = textContent(message).trim()
  const excerpt = said.length > excerptLength ? `${said.slice(0, excerptLength)}…` : said
  return `The user has feedback on ${names[message.type]}, ${JSON.stringify(excerpt)}: ${text}`
}

const names = {
  user: 'a message of their own',
  assistant: 'what you said',
  tool_result: 'the result of a tool',
} as const
