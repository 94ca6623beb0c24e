import type { UserMessage } from '../../message.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { Wired } from '../wiring/wiring.ts'
import { composePrompt, followUp, withNote } from './prompt.ts'

/**
 * Composes what a person says in one conversation. The first message goes with what there is to know of the place and with the files
 * of `-f`, each with what the model is to be told besides.
 */
export function createComposer(
  { config, mayRead, takeNote }: Pick<Wired, 'config' | 'mayRead' | 'takeNote'>,
  flags: Flags,
  host: Host,
): (prompt: string) => UserMessage {
  const stdin = { input: undefined, stdinUse: undefined }
  let isBegun = false
  return (prompt) => {
    const message = isBegun
      ? followUp(prompt, { host, mayRead })
      : composePrompt({ prompt, ...stdin, files: flags.all('file'), config, mayRead, host })
    isBegun = true
    return withNote(message, takeNote())
  }
}
