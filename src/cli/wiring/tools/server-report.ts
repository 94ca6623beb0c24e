import { failureOf, PipeError, throwIfAborted } from '../../../error.ts'
import type { ServerPool, ServerReport } from '../../../mcp/server-pool.ts'

/** Describes how the servers of tools stand, a line each. `name` is started anew before. Throws `input` for an unknown one, and `aborted`. */
export async function describeServers(
  pool: ServerPool | undefined,
  name: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (pool === undefined) return 'no MCP servers may run here: pipe mcp lists and adds them'
  if (name !== undefined) {
    const [word = name, server] = [...pool.servers].find(([, one]) => one.server.name === name) ?? []
    if (server === undefined)
      throw new PipeError('input', `there is no MCP server ${JSON.stringify(name)} here`)
    await server.restart()
    const { failures } = await pool.tools([word], signal)
    // Why they cannot be listed is told to whoever calls one.
    if (failures.length === 0) await failureOf(server.prompts(signal))
    throwIfAborted(signal)
  }
  const reports = pool.reports().filter((one) => name === undefined || one.name === name)
  return reports.map((one) => `${describeReport(one)}${describeMaterial(one, pool)}`).join('\n')
}

/** Says what a server that runs has besides tools. */
function describeMaterial({ name, state }: ServerReport, pool: ServerPool): string {
  const server = pool.find(name)
  if (state.type !== 'ready' || server === undefined) return ''
  const prompts = pool.knownPrompts().filter((one) => one.server === server)
  const [word] = [...pool.servers].find(([, one]) => one === server) ?? [name]
  return [
    prompts.length === 0 ? '' : `\n  prompts: ${prompts.map(({ alias }) => `/${alias}`).join(', ')}`,
    server.hasResources ? `\n  resources: @${word}: lists them` : '',
  ].join('')
}

function describeReport({ name, state, isOff }: ServerReport): string {
  if (isOff === true) return `${name}: off for this run`
  switch (state.type) {
    case 'idle':
      return `${name}: not started; it starts when the model first looks for its tools`
    case 'starting':
      return `${name}: starting`
    case 'failed':
      return `${name}: ${state.reason}; /mcp ${name} restarts it`
    case 'ready': {
      const changed = state.tools.filter(({ isChanged }) => isChanged).map((tool) => tool.name)
      const names = state.tools.map((tool) => tool.name).join(', ')
      const tools = `${name}: ${state.tools.length} tools${names === '' ? '' : `: ${names}`}`
      const asked = changed.length === 0 ? '' : `\n  changed since you last used them: ${changed.join(', ')}`
      const unusable = state.unusable.length === 0 ? '' : `\n  cannot be used: ${state.unusable.join(', ')}`
      return `${tools}${asked}${unusable}`
    }
  }
}
