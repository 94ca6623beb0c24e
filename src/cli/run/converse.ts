import { signalExitCodes } from '../../ending-signal.ts'
import { tell } from '../../terminal/output.ts'
import { readChoices } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { chooseEarlier, type SessionPicker } from './earlier-session.ts'
import { OpenConversation } from './open-conversation.ts'

/** A front end of conversations. */
export interface FrontEnd {
  /** Lets the user choose a session for `-r` without an id. */
  readonly pick: SessionPicker
  /** Runs a conversation. Returns the session to resume, if it has messages. */
  readonly run: (conversation: OpenConversation) => Promise<string | undefined>
}

/** Opens a conversation, and closes it when the front end is done. Returns the exit code. */
export async function converse(context: RunContext, { pick, run }: FrontEnd): Promise<number> {
  const { host, flags, interruption, signal } = context
  const exitCode = (other: number) =>
    interruption.cause === undefined ? other : signalExitCodes[interruption.cause]
  const choices = readChoices(flags, true)
  const session = await chooseEarlier(choices.session, pick, context)
  if (session === undefined) return exitCode(signalExitCodes.SIGINT)
  const chosen = { ...choices, session }
  const wired = await wire({ machine: host, choices: chosen, signal, children: openChildren })
  const conversation = new OpenConversation(host, { choices: chosen, files: flags.all('file') }, wired)
  try {
    const resumable = await run(conversation)
    if (resumable !== undefined) tell(host, `resume with: pipe -r ${resumable}`)
    return exitCode(0)
  } finally {
    await conversation.close()
  }
}
