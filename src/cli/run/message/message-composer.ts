import type { UserMessage } from '../../../message.ts'
import type { Machine } from '../../machine.ts'
import type { FileTurns } from '../../wiring/session/file-turns.ts'
import type { Wired } from '../../wiring/wired.ts'
import type { KnownNames } from './mentioned-names.ts'
import { composePrompt, followUp, withModelNote } from './run-prompt.ts'

interface Composing
  extends Pick<Wired, 'config' | 'mayRead' | 'decide' | 'manifest' | 'memories'>,
    KnownNames {
  readonly fileTurns: Pick<FileTurns, 'takeNote'>
  /** A model writes the texts, which then attach no files. Default: the user does. */
  readonly isByModel?: boolean
}

/**
 * Composes the user messages of a conversation. The first includes the environment and these files; each includes pending
 * notes to the model.
 */
export function createComposer(
  { config, mayRead, fileTurns, decide, manifest, memories, isByModel = false, ...known }: Composing,
  files: readonly string[],
  machine: Machine,
): (prompt: string) => UserMessage {
  const names = { agents: known.agents, mentionedSessions: known.mentionedSessions }
  const stdin = { input: undefined, stdinUse: undefined }
  let isBegun = false
  return (prompt) => {
    const message = isBegun
      ? followUp(prompt, { machine, mayRead, isByModel, names })
      : composePrompt({
          prompt,
          ...stdin,
          files,
          config,
          mayRead,
          machine,
          decide,
          manifest,
          memories,
          isByModel,
          names,
        })
    isBegun = true
    return withModelNote(message, fileTurns.takeNote())
  }
}
