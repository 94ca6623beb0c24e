import { type AgentDefinition, isSameAgent } from '../../actor.ts'
import type { AgentNote, FoundAgents } from '../../config/agents/find-agents.ts'
import { findDirectories } from '../../config/directories.ts'
import type { HookFile } from '../../config/hooks/hook-files.ts'
import { type Layer, type LayeredSettings, withLayer } from '../../config/layers.ts'
import { readModelRoute } from '../../config/models/route-models.ts'
import { isLooser } from '../../config/permission-mode.ts'
import type { Settings } from '../../config/settings.ts'
import { PipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import { isWithin } from '../../machine/path.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { NotesFolder } from '../../permission/notes-folder.ts'
import type { PermissionMode } from '../../permission.ts'
import { nearest } from '../../ranking/nearest.ts'
import { visibleLine } from '../../terminal/visible.ts'
import { usageError } from '../flags.ts'
import type { Machine } from '../machine.ts'
import { agentNamed, readAgents } from './found-agents.ts'
import { hooksOfElf } from './hooks/hooks-of-elf.ts'
import type { AgentLimits, Choices } from './run-choices.ts'

/** A run as it was asked for. */
export interface AskedRun {
  readonly machine: Pick<Machine, 'env' | 'home' | 'cwd'>
  readonly choices: Choices
  readonly loaded: LayeredSettings
  readonly signal: AbortSignal
}

/** A run as an agent. */
export interface RunAgent extends Pick<AskedRun, 'choices' | 'loaded'> {
  readonly definition: AgentDefinition
  /** The folder in which it keeps its notes. */
  readonly notes?: NotesFolder
  /** Tell the user about faults in its file, a route that is not set, or a missing approval. */
  readonly warnings: readonly string[]
  /** Returns the `usage` error for a mode that is looser than the agent's. */
  refusalOf(mode: PermissionMode): PipeError | undefined
}

/** Opens the agent of this name for a run. Throws `usage` with all names, and `untrusted` if its file needs an approval. */
export async function openRunAgent(name: string, asked: AskedRun): Promise<RunAgent> {
  const { machine, loaded, signal } = asked
  const found = await readAgents(machine, loaded, signal)
  const definition = requireAgent(name, found)
  const notes = found.notes.filter(({ path }) => path === definition.path).map(describeNote)
  const fault = await faultOfHooks(definition)
  if (fault !== undefined) throw new PipeError('config', visibleLine(`${definition.path}: ${fault}`))
  const { prompt, missing } = await withSkills(definition, asked)
  const memory =
    definition.memory === undefined
      ? undefined
      : (await import('./agent-notes.ts')).openAgentNotes(definition, asked)
  const warnings = [
    ...notes,
    ...(memory?.warnings ?? []),
    ...approvalsOf(name, found),
    ...missingRoute(definition, loaded.settings),
    ...missing,
  ]
  return {
    ...chooseAs(definition, asked),
    definition: {
      ...definition,
      prompt: [prompt, memory?.prompt ?? ''].filter((text) => text !== '').join('\n\n'),
    },
    ...omitUndefined({ notes: memory?.notes }),
    warnings,
    refusalOf: (mode) => refusalOf(mode, definition),
  }
}

/** Adds the text of an agent's skills to its prompt. Says which of them do not exist, or do not count in an untrusted project. */
async function withSkills(
  { prompt, skills: names = [], path }: AgentDefinition,
  { machine: { env, home }, loaded: { settings, trust, plugins, given } }: AskedRun,
): Promise<{ readonly prompt: string; readonly missing: readonly string[] }> {
  if (names.length === 0) return { prompt, missing: [] }
  const { RunSkills } = await import('./skills/run-skills.ts')
  const { skillText } = await import('./skills/skill-text.ts')
  const { config } = findDirectories(env, home)
  const known = new RunSkills(
    settings.skills === false ? undefined : { ...trust, config, home, plugins, onlyPlugins: given?.isBare },
  ).read()
  const texts: string[] = []
  const missing: string[] = []
  for (const name of names) {
    const skill = known.find((one) => one.name === name)
    if (skill !== undefined) texts.push(skillText(skill, { words: '' }))
    else missing.push(visibleLine(`${path}: there is no skill ${name} here, so the agent works without it`))
  }
  return { prompt: [prompt, ...texts].filter((text) => text !== '').join('\n\n'), missing }
}

/** Says why the hooks that check its calls cannot run: without them it could do more than its file lets it. `undefined` if all can. */
export async function faultOfHooks({ hooks }: Pick<AgentDefinition, 'hooks'>): Promise<string | undefined> {
  const checks = hooks?.['PreToolUse']
  if (checks === undefined) return undefined
  const { readHooks } = await import('../../hooks/read-hooks.ts')
  const [problem] = readHooks({ PreToolUse: checks }, 'its hooks cannot all run').problems
  return problem && `${problem}; without them it could do more than it should`
}

/** Returns the agent of this name. Throws `usage` with all names, and `untrusted` if its file needs an approval. */
export function requireAgent(name: string, found: FoundAgents): AgentDefinition {
  const definition = agentNamed(name, found)
  if (definition !== undefined) return definition
  const [first] = approvalsOf(name, found)
  throw first === undefined ? unknownAgent(name, found) : new PipeError('untrusted', first)
}

/** Names the files of agents of this name that the user has yet to approve. */
function approvalsOf(name: string, { unapproved }: FoundAgents): readonly string[] {
  return unapproved
    .filter(({ definition }) => isSameAgent(definition.name, name))
    .map(({ definition }) => `${visibleLine(definition.path)} needs your approval: run pipe trust`)
}

/** Formats a note with its place: `PATH:LINE: TEXT`, or `PATH: TEXT`. */
export function describeNote({ path, text }: Pick<AgentNote, 'path' | 'text'>): string {
  return visibleLine(`${path}:${/^\d/.test(text) ? '' : ' '}${text}`)
}

/** Names the files that cannot be used too: the agent may be in one of them. */
function unknownAgent(name: string, { agents, notes }: FoundAgents): PipeError {
  const names = [...agents.keys()]
  const close = nearest(name, names)
  const hint = close === undefined ? '' : `; did you mean ${close}?`
  const unusable = notes.slice(0, 5).map((note) => `\n  ${describeNote(note)}`)
  return usageError(
    `there is no agent ${JSON.stringify(name)}, only ${names.join(', ')}${hint}${unusable.join('')}`,
    'pipe agents',
  )
}

/** Tells about a missing route of a file. A built-in agent only prefers its route. */
function missingRoute({ route, path }: AgentDefinition, settings: Settings): readonly string[] {
  if (route === undefined || path === undefined || readModelRoute(route, settings).length > 0) return []
  return [`${visibleLine(path)}: there is no route ${route} in your settings, so the usual model answers`]
}

/** Applies an agent to a run: its model unless the user chose one for the run, and its limits where they are stricter. */
function chooseAs(
  definition: AgentDefinition,
  { choices, loaded }: AskedRun,
): Pick<AskedRun, 'choices' | 'loaded'> {
  const { name, path, route, mode, thinking, maxRounds, hooks, ...agent } = definition
  const routed =
    route === undefined || readModelRoute(route, loaded.settings).length === 0 ? undefined : route
  const model = choices.model === undefined ? (agent.model ?? routed) : undefined
  const isStricter = mode !== undefined && isLooser(loaded.settings.permissions?.mode ?? 'default', mode)
  const layer: Layer = {
    source: { type: 'agent', name: path ?? `the agent ${name}` },
    settings: { ...omitUndefined({ model }), ...(isStricter && { permissions: { mode } }) },
  }
  const { limits, agentHooks = [] } = choices
  const isElf = choices.parent !== undefined
  return {
    choices: {
      ...choices,
      model: choices.model ?? model,
      thinking:
        choices.thinkingOfCall ?? (isElf ? (thinking ?? choices.thinking) : (choices.thinking ?? thinking)),
      limitsOfAgents: [...(choices.limitsOfAgents ?? []), limitsOf(definition)],
      ...(agent.neverAsks && { onAsk: 'deny', permissionTool: undefined }),
      ...(maxRounds !== undefined && {
        limits: { ...limits, maxRounds: atMost(maxRounds, limits.maxRounds) },
      }),
      ...(hooks !== undefined && {
        agentHooks: [
          ...agentHooks,
          hookFileOf(path ?? name, hooks, { isElf, plugins: loaded.plugins ?? [] }),
        ],
      }),
    },
    loaded: withLayer(loaded, layer),
  }
}

function limitsOf(definition: AgentDefinition): AgentLimits {
  const { name, tools, onlyCalls, disallowedTools, disallowedCalls, startable, servers } = definition
  const limits = { tools, onlyCalls, disallowedTools, disallowedCalls, startable, servers }
  return { name, ...omitUndefined(limits) }
}

function atMost(limit: number, other: number | undefined): number {
  return other === undefined ? limit : Math.min(limit, other)
}

/** The hooks of an agent that counts, so they are approved. The end of a turn is that of an elf where it works as one. */
function hookFileOf(
  path: string,
  hooks: JsonObject,
  { isElf, plugins }: Required<Pick<LayeredSettings, 'plugins'>> & { readonly isElf: boolean },
): HookFile {
  const renamed = isElf ? hooksOfElf(hooks) : hooks
  const plugin = plugins.find(({ root }) => isWithin(path, root))
  return { path, origin: 'user', hooks: renamed, isApproved: true, ...omitUndefined({ plugin }) }
}

function refusalOf(mode: PermissionMode, { name, mode: loosest }: AgentDefinition): PipeError | undefined {
  if (loosest === undefined || !isLooser(mode, loosest)) return undefined
  return new PipeError('usage', `the agent ${name} works in mode ${loosest} or a stricter one, not ${mode}`)
}
