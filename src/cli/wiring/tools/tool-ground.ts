import type { Transport } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { ToolExecutor } from '../../../tool.ts'
import { CommandVariables } from '../hooks/command-variables.ts'
import { mayBringHooks } from '../hooks/lent-hooks.ts'
import { type FollowingPrograms, openFollowing } from '../programs/following-programs.ts'
import { removeScratch } from '../scratch.ts'
import type { Records } from '../session-records.ts'
import { RunSkills } from '../skills/run-skills.ts'
import type { WireContext } from '../wire-context.ts'
import { openPolicy } from './judge.ts'
import { openCommands, type RunningParts } from './open-commands.ts'
import { agentRules, readRules } from './rules.ts'
import type { ServerParts } from './server-pools.ts'
import { type OpenedServers, openToolServers } from './tool-servers.ts'

/** Holds the parts below the tools, which several conversations of one run may share. */
export interface ToolGround {
  readonly rules: ReturnType<typeof readRules>
  readonly running: RunningParts
  readonly policy: ModePolicy
  /** The variables of the commands. */
  readonly variables: CommandVariables
  /** The skills, whose files the model reads without a question. */
  readonly skills: RunSkills
  /** Whether files of skills and commands may bring hooks for a turn. */
  readonly mayBeLent: boolean
  /** The MCP servers, if any may run. */
  readonly servers: OpenedServers | undefined
  /** Finds tools that stay out of prompts, where there are no MCP servers. */
  readonly finder: ToolExecutor | undefined
  /** The language servers and formatters. */
  readonly following: FollowingPrograms
}

export interface GroundParts {
  readonly records: Pick<Records, 'scratch' | 'files'>
  readonly transport: Transport
}

/** Opens what runs commands, judges calls, and knows skills and servers. Throws `config`, `sandbox`. */
export async function openGround(
  context: WireContext,
  { records: { scratch, files }, transport }: GroundParts,
): Promise<ToolGround> {
  const { at: machine, choices, loaded, parts } = context
  const notes = context.agent?.notes
  const ofAgents = agentRules(choices.limitsOfAgents ?? [], machine)
  const rules = [...ofAgents.denied, ...readRules(loaded.layers, machine)]
  const variables = parts.variables ?? openVariables(context, `${scratch}-hooks`)
  const running = await openCommands(context, { rules, scratch })
  const skills = openSkills(context)
  const policy = await openPolicy(machine, loaded, {
    rules,
    roots: [scratch, files, ...(machine.added ?? [])],
    readable: () => [...skills.folders, ...(notes === undefined ? [] : [notes.folder])],
    sandboxed: running.inMode,
    searchPaths: () => variables.paths,
    bounds: ofAgents.bounds,
    ...omitUndefined({ lentToParent: parts.lentToParent, notes }),
  })
  const { commands } = running
  const following = await openFollowing(context, { commands, policy })
  const deferred = following.code
  const servers = await openToolServers(context, { commands, transport, spillDir: scratch, deferred })
  const isAlone = servers === undefined && deferred !== undefined
  const finder = isAlone ? await finderAlone({ deferred, spillDir: scratch }, context) : undefined
  const mayBeLent = mayBringHooks(context, skills)
  return { rules, running, policy, variables, skills, servers, finder, following, mayBeLent }
}

function openVariables({ at, loaded, closing }: WireContext, folder: string): CommandVariables {
  closing.add(() => removeScratch(folder))
  return new CommandVariables(at, loaded.settings, folder)
}

/** Opens the search for tools, which most runs without MCP servers never load. */
async function finderAlone(
  parts: Pick<ServerParts, 'deferred' | 'spillDir'>,
  context: WireContext,
): Promise<ToolExecutor> {
  return (await import('./server-pools.ts')).finderOf(parts, context)
}

function openSkills({
  at: { home },
  directories: { config },
  loaded: { settings, trust, plugins, given },
}: WireContext): RunSkills {
  const places = { ...trust, config, home, plugins, onlyPlugins: given?.isBare }
  return new RunSkills(settings.skills === false ? undefined : places)
}
