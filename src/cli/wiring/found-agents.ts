import { type AgentDefinition, isSameAgent } from '../../actor.ts'
import { agentFolders, pluginAgentFolders } from '../../config/agents/definition-folders.ts'
import { type FoundAgents, findAgents } from '../../config/agents/find-agents.ts'
import { findDirectories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Machine } from '../machine.ts'
import { agentTools } from './tools/known-tools.ts'

/** Reads the agents of a folder, as a run there would. Throws `aborted`. */
export function readAgents(
  { env, home }: Pick<Machine, 'env' | 'home'>,
  { trust, plugins, given }: Pick<LayeredSettings, 'trust' | 'plugins' | 'given'>,
  signal: AbortSignal,
): Promise<FoundAgents> {
  const { config } = findDirectories(env, home)
  const isBare = given?.isBare === true
  const folders = isBare
    ? (plugins ?? []).flatMap(pluginAgentFolders)
    : agentFolders({ config, home }, trust, plugins)
  return findAgents(folders, { signal, tools: agentTools, given: given?.agents })
}

/**
 * Finds the agent that a name means, also as another agent spells it, or without the name of its plugin where that is clear. `undefined`
 * if there is none.
 */
export function agentNamed(
  name: string,
  { agents }: Pick<FoundAgents, 'agents'>,
): AgentDefinition | undefined {
  const all = [...agents.values()]
  const exact = agents.get(name) ?? all.find((one) => isSameAgent(one.name, name))
  const ofPlugins = all.filter((one) => one.source === 'plugin' && one.name.endsWith(`:${name}`))
  return exact ?? (ofPlugins.length === 1 ? ofPlugins[0] : undefined)
}
