import { type PromptFile, promptFolders, readOwnPrompts } from '../../../config/own-prompts.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import type { Toolset } from '../tools/toolset.ts'
import type { TrustGate } from '../tools/trust-gate.ts'
import type { WireContext } from '../wire-context.ts'

/** The skills and commands of a conversation, as they are on disk now. Those of the project count once it is trusted. */
export interface RunTexts {
  prompts(): readonly PromptFile[]
  skills(): readonly Skill[]
}

export function openRunTexts(
  { machine: { home }, directories: { config }, loaded }: WireContext,
  {
    toolset,
    trust,
  }: { readonly toolset: Pick<Toolset, 'skills'>; readonly trust: Pick<TrustGate, 'isTrusted'> },
): RunTexts {
  return {
    prompts: () => {
      if (loaded.given?.isBare === true) return []
      const places = { ...loaded.trust, trusted: trust.isTrusted, config, home, plugins: loaded.plugins }
      return readOwnPrompts(promptFolders(places)).prompts
    },
    skills: () => toolset.skills.read(trust.isTrusted),
  }
}
