import { errorText } from '../../../error.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import type { HttpCallersOptions } from '../../../mcp-server/http-callers.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import { createRandomBytes } from '../../random.ts'
import type { RunContext } from '../../run-context.ts'
import { readTcpAddress, type TcpAddress } from '../serve/listen-address.ts'
import { openServedSettings } from '../serve/served-settings.ts'
import { readGivenTools } from './given-tools.ts'
import { createLocalAgent } from './local-agent.ts'

/** Serves tools to MCP clients, until stdin ends or a signal comes. Returns the exit code. Throws `usage`, `config`, `conflict`. */
export async function serveTools(context: RunContext): Promise<number> {
  const { host, flags, interruption } = context
  const gives = readGivenTools(flags.has('tools') ? flags.all('tools').join(' ') : undefined)
  const listening = readListening(flags.text('http'))
  const settings = await openServedSettings([{ name: '', cwd: host.cwd }], context)
  const randomBytes = createRandomBytes()
  const options = {
    agent: createLocalAgent(context),
    gives,
    newId: host.newId,
    clock: host.clock,
    newKey: () => Buffer.from(randomBytes(32)).toString('base64url'),
    report: (error: unknown) => {
      const reason = errorText(error)
      if (!flags.has('quiet')) printWarning(host, visibleLine(`MCP: ${reason}`))
    },
  }
  // A second signal does not wait for what is under way.
  interruption.again(() => process.exit(signalExitCodes[interruption.cause ?? 'SIGTERM']))
  if (listening === undefined) await serveOneClient(options, context)
  else await (await import('./mcp-serve-http.ts')).serveOverHttp(listening, { options, settings, context })
  return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
}

/** Serves the client that started this process. It may go on with any session, as its user may. */
async function serveOneClient(options: HttpCallersOptions, { signal }: RunContext): Promise<void> {
  const [{ Caller }, { serveOverStdio }] = await Promise.all([
    import('../../../mcp-server/caller.ts'),
    import('../../../mcp-server/stdio-server.ts'),
  ])
  const caller = new Caller({ ...options, seesAll: true })
  const { stdin, stdout } = process
  await serveOverStdio({ caller, stdin, stdout, signal, report: options.report })
}

/** Reads `PORT`, `HOST:PORT` or `[IPv6]:PORT`. Throws `usage`. */
function readListening(text: string | undefined): TcpAddress | undefined {
  if (text === undefined) return undefined
  const listening = readTcpAddress(text)
  if (listening === undefined) throw usageError(`--http takes [HOST:]PORT, not ${JSON.stringify(text)}`)
  return listening
}
