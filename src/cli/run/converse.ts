import { signalExitCodes } from '../../ending-signal.ts'
import { tell } from '../../terminal/output.ts'
import { readChoices } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { wire } from '../wiring/wiring.ts'
import { OpenConversation } from './open-conversation.ts'

/**
 * Opens a conversation and closes it when the front end is done. `frontEnd` returns the session to resume, if it has messages.
 * Returns the exit code.
 */
export async function converse(
  { host, flags, interruption, signal }: RunContext,
  frontEnd: (conversation: OpenConversation) => Promise<string | undefined>,
): Promise<number> {
  const choices = readChoices(flags, true)
  const wired = await wire({ machine: host, choices, signal })
  const conversation = new OpenConversation(host, { choices, files: flags.all('file') }, wired)
  try {
    const resumable = await frontEnd(conversation)
    if (resumable !== undefined) tell(host, `resume with: pipe -r ${resumable}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    await conversation.close()
  }
}
