import { findDirectories } from '../../../config/directories.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import {
  agentServers,
  type ConfiguredServer,
  type FoundServers,
  findToolServers,
} from '../../../config/mcp/find-servers.ts'
import { PipeError } from '../../../error.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAgents } from '../../wiring/found-agents.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { readSignIns, type SignInState } from '../../wiring/tools/sign-in-states.ts'
import { serverSources } from '../../wiring/tools/tool-servers.ts'

/** The servers of a run here and of the agents that it may work as, with its settings. */
export interface ServersHere extends FoundServers, Pick<LayeredSettings, 'settings' | 'trust'> {
  /** Those that the files of agents set up for themselves. */
  readonly ofAgents: readonly ConfiguredServer[]
  isApproved(one: ConfiguredServer): boolean
  /** Returns how the user stands with a server that may ask for a sign-in. */
  signInOf(one: ConfiguredServer): SignInState | undefined
}

/** Reads the servers of this folder, of the user and of agents. Throws `config`, `aborted`. */
export async function readServersHere({
  host,
  flags,
  signal,
}: Pick<RunContext, 'host' | 'flags' | 'signal'>): Promise<ServersHere> {
  const loaded = await openSettings(host, readOwnSettings(flags))
  const directories = findDirectories(host.env, host.home)
  const found = await findToolServers(serverSources(loaded, directories))
  const agents = await readAgents(host, loaded, signal)
  const counting = [...agents.agents.values()].flatMap(agentServers)
  const waiting = agents.unapproved.flatMap(({ servers }) => servers)
  const signIns = new Map<ConfiguredServer, SignInState | undefined>()
  for (const one of [...found.servers, ...found.unapproved, ...counting, ...waiting])
    signIns.set(one, (await readSignIns([one], host, directories)).get(one.server.name))
  return {
    ...found,
    settings: loaded.settings,
    trust: loaded.trust,
    ofAgents: [...counting, ...waiting],
    isApproved: (one) => !found.unapproved.includes(one) && !waiting.includes(one),
    signInOf: (one) => signIns.get(one),
  }
}

/** Names a server as commands take it: that of an agent after the agent. */
export function nameOfServer({ server, agent }: ConfiguredServer): string {
  return agent === undefined ? server.name : `${agent}/${server.name}`
}

/**
 * Finds a server by its name; that of an agent also by `AGENT/NAME`, which it needs where another server has its name. Throws `input` with
 * the nearest one, or with all that it could be.
 */
export function requireServer(
  name: string,
  { servers, unapproved, ofAgents }: Pick<ServersHere, 'servers' | 'unapproved' | 'ofAgents'>,
): ConfiguredServer {
  const shared = [...servers, ...unapproved]
  const exact = [...shared, ...ofAgents].find((one) => nameOfServer(one) === name)
  if (exact !== undefined) return exact
  const named = ofAgents.filter(({ server }) => server.name === name)
  const [found] = named
  if (named.length > 1)
    throw new PipeError(
      'input',
      `several agents have a server ${name}; name one: ${named.map(nameOfServer).join(', ')}`,
    )
  if (found !== undefined) return found
  const close = nearest(name, [
    ...shared.map(nameOfServer),
    ...ofAgents.flatMap((one) => [one.server.name, nameOfServer(one)]),
  ])
  const hint = close === undefined ? '; pipe mcp list lists them' : `; did you mean ${close}?`
  throw new PipeError('input', `there is no MCP server ${JSON.stringify(name)}${hint}`)
}

/** Lists the servers of agents that have the name of this one, and are others. */
export function namesakes(
  one: ConfiguredServer,
  { ofAgents }: Pick<ServersHere, 'ofAgents'>,
): readonly string[] {
  const { name, access } = one.server
  const same = JSON.stringify(access)
  return ofAgents
    .filter(({ server }) => server.name === name && JSON.stringify(server.access) !== same)
    .map(nameOfServer)
}
