import { type PromptFile, promptFolders, readOwnPrompts } from '../../../config/own-prompts.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import type { WithParams } from '../../../frontend/named-places.ts'
import type { LoopParts } from '../session/open-loop.ts'
import { withRunValues } from '../skills/skill-text.ts'
import type { Toolset } from '../tools/toolset.ts'
import type { TrustGate } from '../tools/trust-gate.ts'
import type { WireContext } from '../wire-context.ts'

/** The skills and commands of a conversation, as they are on disk now. Those of the project count once it is trusted. */
export interface RunTexts {
  prompts(): readonly (PromptFile & WithParams)[]
  skills(): readonly (Skill & WithParams)[]
}

export function openRunTexts(
  { machine: { home }, directories: { config }, choices: { params }, loaded }: WireContext,
  {
    toolset,
    trust,
    records,
    models,
  }: Pick<LoopParts, 'records' | 'models'> & {
    readonly toolset: Pick<Toolset, 'skills'>
    readonly trust: Pick<TrustGate, 'isTrusted'>
  },
): RunTexts {
  const withEach = <File>(files: readonly File[]) =>
    params === undefined ? files : files.map((file) => ({ ...file, params }))
  // The text of one that asks for more is filled in for the turn that calls it.
  const filled = (prompt: PromptFile) => {
    const values = { sessionId: records.id, effort: models.current.inForce.thinking }
    return prompt.asks === undefined ? { ...prompt, text: withRunValues(prompt.text, values) } : prompt
  }
  return {
    prompts: () => {
      const { trust: own, plugins, given } = loaded
      const of = { config, home, plugins, onlyPlugins: given?.isBare }
      const places = { ...own, trusted: trust.isTrusted, ...of }
      return withEach(readOwnPrompts(promptFolders(places)).prompts.map(filled))
    },
    skills: () => withEach(toolset.skills.read(trust.isTrusted)),
  }
}
