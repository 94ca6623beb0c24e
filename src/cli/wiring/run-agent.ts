import type { AgentDefinition } from '../../actor.ts'
import { agentFolders } from '../../config/agents/definition-folders.ts'
import { type AgentNote, type FoundAgents, findAgents } from '../../config/agents/find-agents.ts'
import { type Layer, type LayeredSettings, withLayer } from '../../config/layers.ts'
import { readModelRoute } from '../../config/models/route-models.ts'
import { isLooser } from '../../config/permission-mode.ts'
import type { Settings } from '../../config/settings.ts'
import { PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ModePolicy } from '../../permission/policy.ts'
import { nearest } from '../../ranking/nearest.ts'
import { visibleLine } from '../../terminal/visible.ts'
import { usageError } from '../flags.ts'
import type { Choices } from './run-choices.ts'
import { findToolName } from './tools/known-tools.ts'

/** A run as it was asked for. */
export interface AskedRun {
  /** The user's config folder. */
  readonly config: string
  readonly choices: Choices
  readonly loaded: LayeredSettings
  readonly signal: AbortSignal
}

/** A run as an agent. */
export interface RunAgent extends Pick<AskedRun, 'choices' | 'loaded'> {
  readonly definition: AgentDefinition
  /** Tell the user about faults in its file, a route that is not set, or a missing approval. */
  readonly warnings: readonly string[]
  /** Wraps a policy so that its mode is never looser than the agent's. Setting such a mode throws `usage`. */
  bound(policy: Pick<ModePolicy, 'mode'>): Pick<ModePolicy, 'mode'>
}

/** Opens the agent of this name for a run. Throws `usage` with all names, and `untrusted` if its file needs an approval. */
export async function openRunAgent(name: string, asked: AskedRun): Promise<RunAgent> {
  const { config, loaded, signal } = asked
  const found = await findAgents(agentFolders(config, loaded.trust), { signal, findTool: findToolName })
  const definition = requireAgent(name, found)
  const notes = found.notes.filter(({ path }) => path === definition.path).map(describeNote)
  const warnings = [...notes, ...approvalsOf(name, found), ...missingRoute(definition, loaded.settings)]
  return {
    ...chooseAs(definition, asked),
    definition,
    warnings,
    bound: (policy) => bind(policy, definition),
  }
}

/** Returns the agent of this name. Throws `usage` with all names, and `untrusted` if its file needs an approval. */
export function requireAgent(name: string, found: FoundAgents): AgentDefinition {
  const definition = found.agents.get(name)
  if (definition !== undefined) return definition
  const [first] = approvalsOf(name, found)
  throw first === undefined ? unknownAgent(name, found) : new PipeError('untrusted', first)
}

/** Names the files of agents of this name that the user has yet to approve. */
function approvalsOf(name: string, { unapproved }: FoundAgents): readonly string[] {
  return unapproved
    .filter(({ definition }) => definition.name === name)
    .map(({ definition }) => `${visibleLine(definition.path)} needs your approval: run pipe trust`)
}

/** Formats a note with its place: `PATH:LINE: TEXT`, or `PATH: TEXT`. */
export function describeNote({ path, text }: AgentNote): string {
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

/** Applies an agent to a run: its model unless the user chose one for the run, and its mode if that is stricter. */
function chooseAs(
  { name, path, route, mode, ...agent }: AgentDefinition,
  { choices, loaded }: AskedRun,
): Pick<AskedRun, 'choices' | 'loaded'> {
  const routed =
    route === undefined || readModelRoute(route, loaded.settings).length === 0 ? undefined : route
  const model = choices.model === undefined ? (agent.model ?? routed) : undefined
  const isStricter = mode !== undefined && isLooser(loaded.settings.permissions?.mode ?? 'default', mode)
  const layer: Layer = {
    source: { type: 'agent', name: path ?? `the agent ${name}` },
    settings: { ...omitUndefined({ model }), ...(isStricter && { permissions: { mode } }) },
  }
  return { choices: { ...choices, model: choices.model ?? model }, loaded: withLayer(loaded, layer) }
}

function bind(
  policy: Pick<ModePolicy, 'mode'>,
  { name, mode: loosest }: AgentDefinition,
): Pick<ModePolicy, 'mode'> {
  return {
    get mode() {
      return policy.mode
    },
    set mode(mode) {
      if (loosest !== undefined && isLooser(mode, loosest))
        throw new PipeError(
          'usage',
          `the agent ${name} works in mode ${loosest} or a stricter one, not ${mode}`,
        )
      policy.mode = mode
    },
  }
}
