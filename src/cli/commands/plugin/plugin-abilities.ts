import type { AgentDefinition } from '../../../actor.ts'
import { oneLine } from '../../../characters/one-line.ts'
import { pluginAgentFolders } from '../../../config/agents/definition-folders.ts'
import { findAgents } from '../../../config/agents/find-agents.ts'
import { pluginServerName } from '../../../config/mcp/plugin-server-name.ts'
import { readServer } from '../../../config/mcp/server-fields.ts'
import { readOwnPrompts } from '../../../config/own-prompts.ts'
import { findSkills } from '../../../config/skills/find-skills.ts'
import { describeAsks, type InstructionAsks } from '../../../config/skills/instruction-asks.ts'
import { folderOfPlugin } from '../../../config/skills/skill-folders.ts'
import { handlerText } from '../../../hooks/hook.ts'
import { readHooks } from '../../../hooks/read-hooks.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { Plugin } from '../../../machine/plugin.ts'
import { withoutPluginFolders } from '../../../machine/plugin-folders.ts'
import type { PluginContent } from '../../../plugins/plugin-content.ts'
import type { PluginDependency } from '../../../plugins/plugin-dependencies.ts'
import type { PluginOption } from '../../../plugins/user-config.ts'
import { agentTools } from '../../wiring/tools/known-tools.ts'
import { accessText, withoutPluginVariables } from '../../wiring/tools/tool-servers.ts'

/** One thing that a plugin may do. */
export interface Ability {
  readonly kind: 'MCP server' | 'hook' | 'skill' | 'command' | 'agent'
  readonly name: string
  /** A command line or URL, whole; or a description. */
  readonly text: string
}

/** All that a plugin may do, and what of it has no effect or cannot be used. */
export interface PluginAbilities {
  readonly abilities: readonly Ability[]
  readonly notes: readonly string[]
}

/** Reads what a plugin may do, with the readers that a run uses. Starts nothing. Throws `aborted`. */
export async function readAbilities(
  { plugin, options, dependencies, notes }: PluginContent,
  signal: AbortSignal,
): Promise<PluginAbilities> {
  const parts = [serversOf(plugin), hooksOf(plugin), textsOf(plugin), await agentsOf(plugin, signal)]
  const shown = (text: string) => withoutPluginFolders(text, plugin)
  return {
    abilities: parts.flatMap(({ abilities }) => abilities.map((one) => ({ ...one, text: shown(one.text) }))),
    notes: [
      ...dependencies.map(needText),
      ...options.map(optionText),
      ...notes,
      ...parts.flatMap((part) => part.notes),
    ].map(shown),
  }
}

function needText({ name, marketplace, version }: PluginDependency): string {
  const from = marketplace === undefined ? '' : ` of the marketplace ${marketplace}`
  return `needs the plugin ${name}${version === undefined ? '' : ` ${version}`}${from}`
}

function optionText({ key, title, isRequired, isSecret }: PluginOption): string {
  const kind = `${isRequired ? 'needs' : 'asks for'} ${isSecret ? 'the secret ' : ''}${key}`
  return title === key ? kind : oneLine(`${kind}: ${title}`, longest)
}

function serversOf(plugin: Plugin): PluginAbilities {
  const notes: string[] = []
  const abilities = plugin.servers.flatMap(({ name, fields, folder, path }): readonly Ability[] => {
    const full = pluginServerName(plugin.name, name)
    const read = readServer(full, fields, folder)
    const at = `${path}: ${JSON.stringify(name.slice(0, 64))}`
    if (read.type === 'refused') notes.push(`${at}: ${read.reason}`)
    if (read.type === 'refused' || read.value === undefined) return []
    notes.push(...read.value.notes.map((note) => `${at}: ${note}`))
    const { access } = read.value.server
    const cwd = access.type === 'stdio' && access.cwd !== undefined ? ` (in ${access.cwd})` : ''
    return [
      {
        kind: 'MCP server',
        name: full,
        text: `${accessText(withoutPluginVariables(read.value.server))}${cwd}`,
      },
    ]
  })
  return { abilities, notes }
}

function hooksOf(plugin: Plugin): PluginAbilities {
  const read = plugin.hooks.map(({ hooks, path }) => readHooks(hooks, path))
  const abilities = read.flatMap(({ hooks }) =>
    hooks.map(({ event, matcher, handler }): Ability => {
      const name = matcher === '' ? event : `${event} ${matcher}`
      return { kind: 'hook', name, text: handlerText(handler) }
    }),
  )
  return { abilities, notes: read.flatMap(({ problems }) => problems) }
}

/** Names all that the hooks of an agent run. */
function hookLines(hooks: JsonObject, path: string): readonly string[] {
  const read = readHooks(hooks, path)
  return [...read.hooks.map(({ event, handler }) => `${event} ${handlerText(handler)}`), ...read.problems]
}

/** Characters of a description. */
const longest = 300

function textsOf(plugin: Plugin): PluginAbilities {
  const folders = (paths: readonly string[]) => paths.map((path) => folderOfPlugin(path, plugin))
  const skills = findSkills(folders(plugin.skills))
  const commands = readOwnPrompts(folders(plugin.commands))
  const unusable = [...skills.notes, ...commands.notes].filter(({ kind }) => kind === 'unusable')
  return {
    abilities: [
      ...skills.skills.map((one) => instructions('skill', one.name, one)),
      ...commands.prompts.map((one) => instructions('command', `/${one.name}`, one)),
    ],
    notes: unusable.map(({ path, text }) => `${path}: ${text}`),
  }
}

interface Instructions {
  readonly description: string
  readonly path: string
  readonly asks?: InstructionAsks
}

/** Describes a text, and all that it asks for in the turn that calls it. */
function instructions(
  kind: Ability['kind'],
  name: string,
  { description, asks, path }: Instructions,
): Ability {
  const { hooks } = asks ?? {}
  const runs = hooks === undefined ? [] : hookLines(hooks, path).map((line) => `hook ${line}`)
  const asked = asks === undefined ? '' : ` (when called: ${[...describeAsks(asks), ...runs].join('; ')})`
  return { kind, name, text: `${oneLine(description, longest)}${asked}` }
}

async function agentsOf(plugin: Plugin, signal: AbortSignal): Promise<PluginAbilities> {
  const found = await findAgents(pluginAgentFolders(plugin), { signal, tools: agentTools })
  const own = [...found.agents.values()].filter(({ source }) => source === 'plugin')
  const abilities = own.map((agent) => {
    const { name, description, mode, model, route, hooks, path = '' } = agent
    const limits = [
      `tools: ${toolsText(agent)}`,
      ...(mode === undefined ? [] : [`mode: ${mode}`]),
      ...(hooks === undefined ? [] : [`hooks: ${hookLines(hooks, path).join(', ')}`]),
      ...(model === undefined && route === undefined ? [] : [`model: ${model ?? `route ${route}`}`]),
    ]
    return { kind: 'agent', name, text: `${oneLine(description, longest)} (${limits.join('; ')})` } as const
  })
  return { abilities, notes: found.notes.map(({ path, text }) => `${path}: ${text}`) }
}

/** Names the tools of an agent, and the calls of them that alone are left to it. */
function toolsText({ tools, disallowedTools = [], onlyCalls = {} }: AgentDefinition): string {
  const all = (tools ?? ['all']).map((tool) => onlyCalls[tool]?.join(', ') ?? tool).join(', ')
  return disallowedTools.length === 0 ? all : `${all} but ${disallowedTools.join(', ')}`
}

/** Describes what a plugin may do, a line each. */
export function abilityLines(abilities: readonly Ability[]): readonly string[] {
  return abilities.map(({ kind, name, text }) => `${kind} ${name}: ${text}`)
}

/** Describes how what a plugin may do changes: `+` is new, `-` goes. What stays is left out. */
export function changedAbilities(old: readonly Ability[], now: readonly Ability[]): readonly string[] {
  const [before, after] = [abilityLines(old), abilityLines(now)]
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ]
}
