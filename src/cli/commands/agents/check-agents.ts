import { dirname, resolve } from 'node:path'
import type { AgentDefinition } from '../../../actor.ts'
import { type AgentNote, readAgentFile, readFolder } from '../../../config/agents/find-agents.ts'
import { exitCodes } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { faultOfHooks } from '../../wiring/run-agent.ts'
import { agentTools } from '../../wiring/tools/known-tools.ts'
import { describeServer } from '../../wiring/tools/tool-servers.ts'
import { printFindings } from '../findings.ts'
import { findHere } from './list-agents.ts'

/** Agents that were checked, with what is wrong with them. */
interface Checked {
  readonly agents: readonly AgentDefinition[]
  readonly notes: readonly AgentNote[]
}

/**
 * Prints what is wrong with the agents of a run here, or with those at a path. Returns the exit code of `config` if one cannot be used.
 * Throws `config`, and `usage` for a path without an agent.
 */
export async function checkAgentFiles(path: string | undefined, context: RunContext): Promise<number> {
  const { host, flags } = context
  const { agents, notes } =
    path === undefined ? await checkAll(context) : checkPath(path, resolve(host.cwd, path))
  const ofHooks = await Promise.all(agents.map(unusableHooks))
  const all = [...notes, ...ofHooks.flat()]
  const faults = all.filter(({ kind }) => kind === 'unusable').length
  const checked = counted(agents.length, 'agent')
  printFindings(all, { host, flags, checked, faults })
  return faults === 0 ? 0 : exitCodes.config
}

async function checkAll(context: RunContext): Promise<Checked> {
  const { agents, unapproved, notes } = await findHere(context)
  const waiting = unapproved.flatMap(({ servers, definition: { path } }) =>
    servers.map((server): AgentNote => {
      const text = `its MCP server starts once you approve it with pipe trust: ${describeServer(server)}`
      return { path, text, kind: 'note' }
    }),
  )
  return {
    agents: [...agents.values(), ...unapproved.map(({ definition }) => definition)],
    notes: [...notes, ...waiting],
  }
}

/** Checks a file, or a folder. Whose they are makes no difference. */
function checkPath(given: string, path: string): Checked {
  const isFolder = lookThrough(path)?.isDirectory() === true
  const folder = { path: isFolder ? path : dirname(path), source: 'user' } as const
  const { agents, notes } = isFolder
    ? readFolder(folder, agentTools)
    : readAgentFile(path, folder, agentTools)
  if (agents.length + notes.length === 0)
    throw usageError(`there is no agent at ${JSON.stringify(given)}`, 'pipe agents check --help')
  return { agents: agents.map(({ definition }) => definition), notes }
}

async function unusableHooks(agent: AgentDefinition): Promise<readonly AgentNote[]> {
  const text = await faultOfHooks(agent)
  const { path } = agent
  return text === undefined || path === undefined ? [] : [{ path, text, kind: 'unusable' }]
}
