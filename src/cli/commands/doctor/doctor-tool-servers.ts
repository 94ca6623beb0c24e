import type { Directories } from '../../../config/directories.ts'
import { expandServer, findToolServers } from '../../../config/mcp/find-servers.ts'
import { hasCode } from '../../../error.ts'
import { spelledServer } from '../../../mcp/auth/sign-in.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { projectVariables } from '../../wiring/programs/server-environment.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { readSignIns } from '../../wiring/tools/sign-in-states.ts'
import { describeServer, hiddenServers, serverSources } from '../../wiring/tools/tool-servers.ts'
import type { Checkup } from './checkup.ts'

/** Checks how MCP servers are configured, and starts none. Finds none if the settings cannot be read, which is reported elsewhere. */
export async function checkToolServers(
  { host, flags }: Pick<RunContext, 'host' | 'flags'>,
  directories: Directories,
): Promise<readonly Checkup[]> {
  const name = 'mcp'
  try {
    const loaded = await readAllSettings(host, readOwnSettings(flags))
    const found = await findToolServers(serverSources(loaded, directories))
    const { servers, unapproved, notes } = found
    const names = servers.map(({ server }) => server.name)
    const known: readonly Checkup[] =
      names.length === 0
        ? []
        : [{ name, state: 'ok', text: names.join(', '), remedy: 'pipe mcp test starts them' }]
    const signIns = [...(await readSignIns(servers, host, directories))].map(
      ([server, state]): Checkup => ({
        name,
        state: state === 'done' ? 'ok' : 'missing',
        text: `${server}: ${state === 'done' ? 'signed in' : state === 'expired' ? 'its sign-in has expired' : 'needs a sign-in'}`,
        ...(state !== 'done' && { remedy: `pipe mcp login ${spelledServer(server)}` }),
      }),
    )
    const faults = [...hiddenServers(found), ...notes].map(
      (text): Checkup => ({ name, state: 'missing', text }),
    )
    const env = { ...host.env, ...projectVariables(loaded.trust.root) }
    const unset = servers.flatMap((one): readonly Checkup[] => {
      const { server } = one
      const expanded = expandServer(one, { env, folder: host.cwd })
      return expanded.type === 'ok'
        ? []
        : [{ name, state: 'missing', text: `${server.name}: ${expanded.reason}` }]
    })
    const waiting = unapproved.map((one): Checkup => {
      return {
        name,
        state: 'missing',
        text: `${describeServer(one)} needs your approval`,
        remedy: 'pipe trust',
      }
    })
    return [...known, ...signIns, ...faults, ...unset, ...waiting]
  } catch (error) {
    if (!hasCode(error, 'config')) throw error
    return []
  }
}
