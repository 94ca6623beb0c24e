import { findDirectories } from '../../../config/directories.ts'
import {
  type ConfiguredServer,
  type FoundServers,
  findToolServers,
} from '../../../config/mcp/find-servers.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { readSignIns, type SignInState, signInText } from '../../wiring/tools/sign-in-states.ts'
import {
  accessText,
  hiddenServers,
  serverSources,
  skippedServers,
  spellSignIn,
  withoutPluginVariables,
} from '../../wiring/tools/tool-servers.ts'
import { JsonList } from '../json-list.ts'

/** The servers of a run here, with its settings. */
interface ReadServers extends FoundServers {
  readonly settings: Settings
  /** Holds the state of each sign-in, by the name of its server. */
  readonly signIns: ReadonlyMap<string, SignInState>
}

/** Reads the servers of this folder and of the user. Throws `config`. */
export async function readServers({ host, flags }: Pick<RunContext, 'host' | 'flags'>): Promise<ReadServers> {
  const loaded = await openSettings(host, readOwnSettings(flags))
  const directories = findDirectories(host.env, host.home)
  const found = await findToolServers(serverSources(loaded, directories))
  const signIns = await readSignIns([...found.servers, ...found.unapproved], host, directories)
  return { ...found, settings: loaded.settings, signIns }
}

/** Finds a server by its name. Throws `input` with the nearest one. */
export function requireServer(name: string, { servers, unapproved }: FoundServers): ConfiguredServer {
  const all = [...servers, ...unapproved]
  const found = all.find(({ server }) => server.name === name)
  if (found !== undefined) return found
  const close = nearest(
    name,
    all.map(({ server }) => server.name),
  )
  const hint = close === undefined ? '; pipe mcp list lists them' : `; did you mean ${close}?`
  throw new PipeError('input', `there is no MCP server ${JSON.stringify(name)}${hint}`)
}

/** Lists all servers, and names what cannot be used. */
export async function listServers(context: RunContext): Promise<void> {
  const { host, flags } = context
  const found = await readServers(context)
  const all = [...found.servers, ...found.unapproved]
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'servers')
    for (const one of all) listed.add(encode(one, found))
    listed.end()
  } else if (all.length === 0) {
    printWarning(host, 'no MCP servers yet: pipe mcp add NAME -- COMMAND adds one')
  } else {
    const rows = all.map((one) => [
      one.server.name,
      isApproved(one, found) ? one.source : `${one.source}, not approved`,
      `${accessText(one.source === 'plugin' ? withoutPluginVariables(one.server) : one.server)}${signInNote(one, found)}`,
    ])
    host.stdout.write(
      `${tableText([['NAME', 'FROM', 'COMMAND OR URL'], ...rows.map((row) => row.map(visibleLine))])}\n`,
    )
  }
  for (const line of [...hiddenServers(found), ...skippedServers(found)]) printWarning(host, line)
}

/** Shows one server as its file has it. */
export async function showServer(name: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const found = await readServers(context)
  const one = requireServer(name, found)
  const fields = encode(one, found)
  if (flags.format === 'json') host.stdout.write(`${JSON.stringify(fields)}\n`)
  else
    for (const [key, value] of Object.entries(fields)) {
      host.stdout.write(`${key}: ${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}\n`)
    }
}

function signInNote({ server: { name } }: ConfiguredServer, { signIns }: ReadServers): string {
  const state = signIns.get(name)
  return state === undefined ? '' : ` (${signInText(state, name)})`
}

function isApproved(one: ConfiguredServer, { unapproved }: FoundServers): boolean {
  return !unapproved.includes(one)
}

function encode(one: ConfiguredServer, found: ReadServers): object {
  const { server, source, path } = one
  const { name, access, only, except } = server
  return {
    name,
    source,
    path,
    approved: isApproved(one, found),
    ...access,
    ...(access.type === 'http' && access.oauth !== undefined && { oauth: spellSignIn(access.oauth) }),
    ...omitUndefined({ sign_in: found.signIns.get(name) }),
    ...(only !== undefined && { enabled_tools: only }),
    ...(except !== undefined && { disabled_tools: except }),
  }
}
