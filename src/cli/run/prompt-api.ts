import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { PastPrompts } from '../../frontend/past-prompts.ts'
import type { RunContext } from '../run-context.ts'

/** Functions of the prompt of a screen. What they need is loaded when one is used. */
export type PromptApi = Required<Pick<FrontendApi, 'editText' | 'pastPrompts'>>

/** Creates the functions of the prompt. `isKept` returns whether what the user writes may be kept. */
export function promptApi({ host }: RunContext, isKept: () => boolean): PromptApi {
  let opened: Promise<PastPrompts> | undefined
  const open = async (): Promise<PastPrompts> => {
    const { PromptHistoryFile } = await import('../../json/prompts/prompt-history-file.ts')
    const { PromptDrafts } = await import('../../json/prompts/prompt-drafts.ts')
    const { openRedactor } = await import('../wiring/audit/open-audit-log.ts')
    const redact = () => openRedactor(host)
    const path = join(findDirectories(host.env, host.home).history, (await sha256(host.cwd)).slice(0, 32))
    const history = new PromptHistoryFile(`${path}.jsonl`, redact)
    const drafts = new PromptDrafts({ folder: `${path}.drafts`, redact, now: () => host.clock.now() })
    return {
      load: () => history.load(),
      add: (prompt) => history.add(prompt),
      keepDraft: (draft) => drafts.keepDraft(draft),
      takeDraft: () => drafts.takeDraft(),
    }
  }
  const past = () => {
    opened ??= open()
    return opened
  }
  return {
    editText: async (text, path) => {
      const { editText } = await import('./screen/user-editor.ts')
      return editText(text, host, path)
    },
    pastPrompts: {
      load: async () => (await past()).load(),
      add: async (prompt) => {
        if (isKept()) await (await past()).add(prompt)
      },
      keepDraft: async (draft) => {
        if (isKept()) await (await past()).keepDraft(draft)
      },
      takeDraft: async () => (isKept() ? (await past()).takeDraft() : undefined),
    },
  }
}
