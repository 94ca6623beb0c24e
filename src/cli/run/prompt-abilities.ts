import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import type { Abilities, PastPrompts } from '../../conversation-view.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import type { RunContext } from '../run-context.ts'

/** Abilities of the prompt of a screen. What they need is loaded when one is used. */
export type PromptAbilities = Required<Pick<Abilities, 'editText' | 'pastPrompts'>>

/** Creates the abilities of the prompt. `isKept` returns whether what the user writes may be kept. */
export function promptAbilities({ host }: RunContext, isKept: () => boolean): PromptAbilities {
  let opened: Promise<PastPrompts> | undefined
  const open = async () => {
    const { PromptHistory } = await import('../../json/prompt-history.ts')
    const { openRedactor } = await import('../wiring/audit-log.ts')
    const name = (await sha256(host.cwd)).slice(0, 32)
    const path = join(findDirectories(host.env, host.home).history, `${name}.jsonl`)
    return new PromptHistory(path, () => openRedactor(host))
  }
  const past = () => {
    opened ??= open()
    return opened
  }
  return {
    editText: async (text) => {
      const { editText } = await import('./user-editor.ts')
      return editText(text, host)
    },
    pastPrompts: {
      load: async () => (await past()).load(),
      add: async (prompt) => {
        if (isKept()) await (await past()).add(prompt)
      },
    },
  }
}
