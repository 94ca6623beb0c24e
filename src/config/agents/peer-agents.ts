import type { AgentDefinition } from '../../actor.ts'

/** Folder of another program's agents, in a project. */
export const peerFolder = '.claude/agents'

/** The folder of its prompts, which are commands. */
export const peerPrompts = '.claude/commands'

/** The routes that stand for its words for sizes of models. */
const routes: ReadonlyMap<string, string> = new Map([
  ['haiku', 'fast'],
  ['sonnet', 'default'],
  ['opus', 'strong'],
])

/** Reads its word for a model; `undefined` for any other text. */
export function readPeerModel(text: string): Pick<AgentDefinition, 'model' | 'route'> | undefined {
  if (text === 'inherit') return {}
  const route = routes.get(text)
  if (route !== undefined) return { route }
  return /^claude-[\w.-]{1,100}$/.test(text) ? { model: `anthropic/${text}` } : undefined
}
