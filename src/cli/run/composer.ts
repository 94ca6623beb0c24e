import type { UserMessage } from '../../message.ts'
import type { Host } from '../host.ts'
import type { Wired } from '../wiring/wiring.ts'
import { composePrompt, followUp, withNote } from './prompt.ts'

/**
 * Composes the user messages of a conversation. The first includes the environment and these files; each includes pending
 * notes to the model.
 */
export function createComposer(
  { config, mayRead, takeNote }: Pick<Wired, 'config' | 'mayRead' | 'takeNote'>,
  files: readonly string[],
  host: Host,
): (prompt: string) => UserMessage {
  const stdin = { input: undefined, stdinUse: undefined }
  let isBegun = false
  return (prompt) => {
    const message = isBegun
      ? followUp(prompt, { host, mayRead })
      : composePrompt({ prompt, ...stdin, files, config, mayRead, host })
    isBegun = true
    return withNote(message, takeNote())
  }
}
