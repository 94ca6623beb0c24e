import { signalExitCodes } from '../../ending-signal.ts'
import { runChat } from '../../line/chat.ts'
import { tell } from '../../terminal/output.ts'
import { readChoices } from '../choices.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { Interruption } from '../signals.ts'
import { wire } from '../wiring/wiring.ts'
import { OpenConversation } from './open-conversation.ts'

/** Runs a conversation line by line, for simple terminals. Returns the exit code. */
export async function chat(host: Host, flags: Flags, interruption: Interruption): Promise<number> {
  const { signal } = interruption
  const choices = readChoices(flags, true)
  const conversation = new OpenConversation(
    host,
    { choices, files: flags.all('file') },
    await wire({ host, choices, signal }),
  )
  try {
    const resumable = await runChat({
      keyboard: process.stdin,
      echo: process.stderr,
      stdout: host.stdout,
      stderr: host.stderr,
      conversation,
      signal,
      onGone: () => interruption.raise('SIGHUP'),
      watchInterrupt: interruption.divert,
    })
    if (resumable !== undefined) tell(host, `resume with: pipe -r ${resumable}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    await conversation.close()
  }
}
