import { startEndpoint } from '../../../hono/guarded-endpoint.ts'
import { isLoopbackName } from '../../../hono/hosts.ts'
import { HttpCallers, type HttpCallersOptions } from '../../../mcp-server/http-callers.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { ended, type TcpAddress } from '../serve/listen-address.ts'
import type { ServedSettings } from '../serve/served-settings.ts'
import { openToken } from '../serve/server-token.ts'

export interface ServedOverHttp {
  readonly options: HttpCallersOptions
  readonly settings: ServedSettings
  readonly context: RunContext
}

/** Listens until a signal comes. Prints the address and the token, without which nothing is answered. */
export async function serveOverHttp(
  listening: TcpAddress,
  { options, settings: { hosts = [], origins = [] }, context }: ServedOverHttp,
): Promise<void> {
  const { host, signal } = context
  const { hostname, clock } = host
  const token = await openToken(host, signal)
  const callers = new HttpCallers(options)
  const answer = (request: Request) => callers.answer(request)
  const server = await startEndpoint(
    { path: '/mcp', token, clock, answer, close: () => callers.close() },
    listening,
    { hostname, hosts, origins, report: options.report, advise: (advice) => printWarning(host, advice) },
  )
  try {
    announce(`${server.url}/mcp`, { token, isLocal: isLoopbackName(listening.host) }, context)
    await ended(signal)
  } finally {
    await server.close()
  }
}

function announce(
  url: string,
  { token, isLocal }: { readonly token: string; readonly isLocal: boolean },
  { host, flags }: RunContext,
): void {
  if (flags.format === 'json') host.stdout.write(`${JSON.stringify({ url, token })}\n`)
  else host.stdout.write(`${url}\nAuthorization: Bearer ${token}\n`)
  if (!isLocal)
    printWarning(
      host,
      'anyone on the network can read the traffic: put a TLS proxy in front (pipe help serve)',
    )
  if (!flags.has('quiet')) printWarning(host, `serving ${host.cwd} to MCP clients; Ctrl+C stops it`)
}
