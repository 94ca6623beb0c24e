import { findDirectories } from '../../../config/directories.ts'
import type { ConfiguredServer } from '../../../config/mcp/find-servers.ts'
import { PipeError } from '../../../error.ts'
import type { ServerPool } from '../../../mcp/server-pool.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { openTransport } from '../../wiring/model/open-network.ts'
import { openPool } from '../../wiring/tools/server-pools.ts'
import { skippedServers } from '../../wiring/tools/tool-servers.ts'
import { JsonList } from '../json-list.ts'
import { readServersHere, requireServer, type ServersHere } from './servers-here.ts'

/** Starts servers and lists their tools. Returns 54 if one fails. Throws `untrusted` for one that is not approved. */
export async function testServers(name: string | undefined, context: RunContext): Promise<number> {
  const { host, flags } = context
  const found = await readServersHere(context)
  const asked = name === undefined ? found.servers : [requireServer(name, found)]
  for (const line of name === undefined ? skippedServers(found) : []) printWarning(host, line)
  if (asked.some((one) => !found.isApproved(one)))
    throw new PipeError('untrusted', `${name} is not approved, so it was not started: run pipe trust`)
  if (asked.length === 0 && flags.format !== 'json') {
    printWarning(host, 'no MCP servers to test: pipe mcp add NAME -- COMMAND adds one')
    return 0
  }
  return withPool({ ...found, servers: asked }, context, (pool) => report(pool, asked, context))
}

/** Opens servers for one command. Closes them at its end. */
async function withPool<T>(
  { servers, ...loaded }: Pick<ServersHere, 'servers' | 'settings' | 'trust'>,
  { host, signal }: RunContext,
  work: (pool: ServerPool | undefined) => Promise<T>,
): Promise<T> {
  const commands = createCommandRunner({ clock: host.clock })
  const transport = openTransport(host, loaded.settings)
  try {
    const directories = findDirectories(host.env, host.home)
    const pool = await openPool(servers, {
      context: { machine: host, at: host, directories, signal, loaded },
      commands,
      transport,
      isAttended: false,
    })
    try {
      return await work(pool)
    } finally {
      await pool?.close()
    }
  } finally {
    transport.close()
    await commands.close()
  }
}

async function report(
  pool: ServerPool | undefined,
  asked: readonly ConfiguredServer[],
  { host, flags, signal }: RunContext,
): Promise<number> {
  await pool?.tools(undefined, signal)
  const reports = pool?.reports() ?? []
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'servers') : undefined
  for (const { name, state } of reports) {
    const tools = state.type === 'ready' ? state.tools.map((tool) => tool.name) : undefined
    const error = state.type === 'failed' ? state.reason : undefined
    if (listed !== undefined)
      listed.add({ name, ok: tools !== undefined, ...(tools && { tools }), ...(error && { error }) })
    else if (tools !== undefined)
      host.stdout.write(
        `${visibleLine(`ok      ${name}: ${[`${tools.length} tools`, tools.join(', ')].join(': ').replace(/: $/, '')}`)}\n`,
      )
    else host.stdout.write(`${visibleLine(`failed  ${error ?? name}`)}\n`)
    if (state.type === 'ready' && state.unusable.length > 0)
      printWarning(host, visibleLine(`${name}: unusable tools: ${state.unusable.join(', ')}`))
  }
  listed?.end()
  const isWhole = reports.length === asked.length && reports.every(({ state }) => state.type === 'ready')
  return isWhole ? 0 : 54
}
