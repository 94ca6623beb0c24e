import type { Transport } from '../../../machine/transport.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { Records } from '../session-records.ts'
import type { WireContext } from '../wire-context.ts'
import { openPolicy } from './judge.ts'
import { openCommands, type RunningParts } from './open-commands.ts'
import { agentRules, readRules } from './rules.ts'
import { RunSkills } from './run-skills.ts'
import { type OpenedServers, openToolServers } from './tool-servers.ts'

/** Holds the parts below the tools, which several conversations of one run may share. */
export interface ToolGround {
  readonly rules: ReturnType<typeof readRules>
  readonly running: RunningParts
  readonly policy: ModePolicy
  /** The skills, whose files the model reads without a question. */
  readonly skills: RunSkills
  /** The MCP servers, if any may run. */
  readonly servers: OpenedServers | undefined
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
  const { at: machine, choices, loaded } = context
  const ofAgents = agentRules(choices.limitsOfAgents ?? [], machine)
  const rules = [...ofAgents.denied, ...readRules(loaded.layers, machine)]
  const running = await openCommands(context, { rules, scratch })
  const skills = openSkills(context)
  const policy = await openPolicy(machine, loaded, {
    rules,
    roots: [scratch, files, ...(machine.added ?? [])],
    readable: () => skills.folders,
    sandboxed: running.inMode,
    bounds: ofAgents.bounds,
  })
  const { commands } = running
  const servers = await openToolServers(context, { commands, transport, spillDir: scratch })
  return { rules, running, policy, skills, servers }
}

function openSkills({
  at: { home },
  directories: { config },
  loaded: { settings, trust, plugins },
}: WireContext): RunSkills {
  return new RunSkills(settings.skills === false ? undefined : { ...trust, config, home, plugins })
}
