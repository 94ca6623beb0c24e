import { isPipeError } from '../../../error.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import type { Backend, ServedProject } from '../../../hono/backend.ts'
import { isLoopbackName } from '../../../hono/hosts.ts'
import { type Listening, type RunningServer, startServer } from '../../../hono/server.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { openRedactor } from '../../wiring/audit/open-audit-log.ts'
import { readListenAddress } from './listen-address.ts'
import { createBackend } from './local-backend.ts'
import { readPageFiles } from './page-files.ts'
import { nameProjects } from './projects.ts'
import { reachable } from './reachable.ts'
import { leaveRecord } from './record.ts'
import { openServedSettings, type ServedSettings } from './served-settings.ts'
import { openToken } from './server-token.ts'
import { claimSocket } from './socket-path.ts'

/**
 * Serves the folders, by default the current one, until a signal ends it. Returns the exit code. Throws `usage`, `config`, and `conflict` if
 * another program listens there.
 */
export async function serve(folders: readonly string[], context: RunContext): Promise<number> {
  const { host, flags, interruption, signal } = context
  const projects = nameProjects(folders.length === 0 ? [host.cwd] : folders)
  const listening = readListenAddress(flags.text('listen'), host.cwd)
  const token = await openToken(host, signal)
  const settings = await openServedSettings(projects, context)
  const redact = settings.redacts ? await openRedactor(host) : undefined
  const backend = createBackend(context, projects, redact)
  try {
    const server = await open(backend, listening, { context, token, settings })
    // A second signal does not wait for what is under way.
    interruption.again(() => process.exit(signalExitCodes[interruption.cause ?? 'SIGTERM']))
    try {
      const url = reachable(server.url)
      const record = await leaveRecord(host, { url, projects })
      announce(url, { token, projects, listening, context })
      await ended(signal).finally(() => record.remove())
    } finally {
      await server.close()
    }
  } finally {
    backend.close()
  }
  return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
}

interface ServedBy {
  readonly context: RunContext
  readonly token: string
  readonly settings: ServedSettings
}

async function open(
  backend: Backend,
  listening: Listening,
  { context, token, settings }: ServedBy,
): Promise<RunningServer> {
  const { host, signal } = context
  const { clock, newId, random, hostname } = host
  const { hosts = [], origins = [] } = settings
  const page = await readPageFiles(host.packageFolder())
  const parts = { backend, clock, newId, random, token, ...omitUndefined({ page }) }
  const lock = listening.type === 'unix' ? await claimSocket(listening.path, host, signal) : undefined
  try {
    const report = (error: unknown) => printWarning(host, describe(error))
    const advise = (advice: string) => printWarning(host, advice)
    return await startServer(parts, listening, { hostname, hosts, origins, report, advise })
  } finally {
    lock?.release()
  }
}

interface Announcement {
  readonly token: string
  readonly projects: readonly ServedProject[]
  readonly listening: Listening
  readonly context: Pick<RunContext, 'host' | 'flags'>
}

function announce(url: string, { token, projects, listening, context }: Announcement): void {
  const { host, flags } = context
  if (flags.format === 'json') host.stdout.write(`${JSON.stringify({ url, token })}\n`)
  else host.stdout.write(`${listening.type === 'unix' ? url : `${url}/#token=${token}`}\n`)
  if (listening.type === 'tcp' && !isLoopbackName(listening.host))
    printWarning(
      host,
      'anybody on the network can read what is sent: put a proxy with TLS in front (pipe help serve)',
    )
  if (flags.has('quiet')) return
  printWarning(host, `serves ${projects.map(({ cwd }) => cwd).join(', ')}; Ctrl+C ends it`)
  if (host.stdout.isTerminal && listening.type === 'tcp' && isLoopbackName(listening.host)) hint(url, host)
}

/** Says how another device reaches a server that only this machine does. */
function hint(url: string, host: Host): void {
  const { port } = new URL(url)
  printWarning(
    host,
    `to use it from elsewhere: ssh -L ${port}:127.0.0.1:${port} ${host.hostname}, a proxy with TLS, or in a network that you trust: --listen 0.0.0.0:${port}`,
  )
}

/** An error that its client learns nothing of. */
function describe(error: unknown): string {
  if (isPipeError(error)) return `an answer broke off: ${error.message}`
  return `this is a bug in pipe; the server goes on\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
