import type { ConfiguredServer } from '../../../config/mcp/find-servers.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { signInText } from '../../wiring/tools/sign-in-states.ts'
import {
  accessText,
  hiddenServers,
  skippedServers,
  spellSignIn,
  withoutPluginVariables,
} from '../../wiring/tools/tool-servers.ts'
import { JsonList } from '../json-list.ts'
import { nameOfServer, readServersHere, requireServer, type ServersHere } from './servers-here.ts'

/** Lists all servers, and names what cannot be used. */
export async function listServers(context: RunContext): Promise<void> {
  const { host, flags } = context
  const found = await readServersHere(context)
  const all = [...found.servers, ...found.unapproved, ...found.ofAgents]
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'servers')
    for (const one of all) listed.add(encode(one, found))
    listed.end()
  } else if (all.length === 0) {
    printWarning(host, 'no MCP servers yet: pipe mcp add NAME -- COMMAND adds one')
  } else {
    const rows = all.map((one) => [
      one.server.name,
      `${one.agent === undefined ? one.source : `the agent ${one.agent}`}${found.isApproved(one) ? '' : ', not approved'}`,
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
  const found = await readServersHere(context)
  const one = requireServer(name, found)
  const fields = encode(one, found)
  if (flags.format === 'json') host.stdout.write(`${JSON.stringify(fields)}\n`)
  else
    for (const [key, value] of Object.entries(fields)) {
      host.stdout.write(`${key}: ${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}\n`)
    }
}

function signInNote(one: ConfiguredServer, { signInOf }: ServersHere): string {
  const state = signInOf(one)
  return state === undefined ? '' : ` (${signInText(state, nameOfServer(one))})`
}

function encode(one: ConfiguredServer, found: ServersHere): object {
  const { server, source, path, agent } = one
  const { name, access, only, except } = server
  return {
    name,
    source,
    ...omitUndefined({ agent }),
    path,
    approved: found.isApproved(one),
    ...access,
    ...(access.type === 'http' && access.oauth !== undefined && { oauth: spellSignIn(access.oauth) }),
    ...omitUndefined({ sign_in: found.signInOf(one) }),
    ...(only !== undefined && { enabled_tools: only }),
    ...(except !== undefined && { disabled_tools: except }),
  }
}
