import type { UserMessage } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Machine } from '../../machine.ts'
import type { FileTurns } from '../../wiring/session/file-turns.ts'
import type { Wired } from '../../wiring/wired.ts'
import type { KnownNames } from './mentioned-names.ts'
import { composePrompt, followUp, type PromptParts, withModelNote } from './run-prompt.ts'

interface Composing
  extends Pick<
      Wired,
      'config' | 'mayRead' | 'decide' | 'manifest' | 'memories' | 'skills' | 'readsFiles' | 'firstPrompt'
    >,
    Partial<Pick<Wired, 'mayImport' | 'isBare' | 'prompts' | 'added'>>,
    Pick<PromptParts, 'mayFollow'>,
    Omit<KnownNames, 'skills'> {
  readonly fileTurns: Pick<FileTurns, 'takeNote'>
  /** Default: what is called is only its text. */
  readonly called?: Wired['called'] | undefined
  /** A model writes the texts, which then attach no files. Default: the user does. */
  readonly isByModel?: boolean
}

/**
 * Composes the user messages of a conversation. The first includes the environment and these files; each includes pending
 * notes to the model.
 */
export function createComposer(
  {
    config,
    mayRead,
    mayImport,
    mayFollow,
    isBare,
    fileTurns,
    decide,
    manifest,
    memories,
    firstPrompt,
    isByModel = false,
    added,
    ...known
  }: Composing,
  files: readonly string[],
  host: Machine,
): (prompt: string, options?: { readonly isVerbatim?: boolean }) => UserMessage {
  const machine = { ...host, ...omitUndefined({ added }) }
  const { skills, readsFiles, prompts, called } = known
  const names = {
    agents: known.agents,
    mentionedSessions: known.mentionedSessions,
    serverMentions: known.serverMentions,
    skills: { skills, readsFiles, ...omitUndefined({ prompts, called }) },
  }
  const stdin = { input: undefined, stdinUse: undefined }
  let isBegun = false
  return (prompt, { isVerbatim = false } = {}) => {
    // Text that nobody typed names nothing to attach.
    const by = { isByModel: isByModel || isVerbatim }
    const message = isBegun
      ? followUp(prompt, { machine, mayRead, mayFollow, ...by, names })
      : composePrompt({
          prompt,
          ...stdin,
          files,
          config,
          mayRead,
          mayImport,
          mayFollow,
          isBare,
          machine,
          decide,
          manifest,
          memories,
          ...by,
          names,
          firstPrompt,
        })
    isBegun = true
    return withModelNote(message, fileTurns.takeNote())
  }
}
