import { readdir, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { isPipeError } from '../../../error.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import type { Backend, ServedProject } from '../../../hono/backend.ts'
import { limitsFor } from '../../../hono/bounds/server-limits.ts'
import { isLoopbackName } from '../../../hono/hosts.ts'
import type { PageFiles } from '../../../hono/routes/page-routes.ts'
import { type Listening, type RunningServer, startServer } from '../../../hono/server.ts'
import { printWarning } from '../../../terminal/output.ts'
import { usageError } from '../../flags.ts'
import { type Host, realFolder } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { openRedactor } from '../../wiring/audit/open-audit-log.ts'
import { ended, readTcpAddress } from './listen-address.ts'
import { createBackend } from './local-backend.ts'
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
    await backend.close()
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
  const { hosts = [], origins = [], watchers } = settings
  const page = await readPageFiles(host.packageFolder())
  const parts = { backend, clock, newId, random, token, page }
  const lock = listening.type === 'unix' ? await claimSocket(listening.path, host, signal) : undefined
  try {
    const report = (error: unknown) => printWarning(host, describe(error))
    const advise = (advice: string) => printWarning(host, advice)
    const limits = watchers === undefined ? {} : limitsFor(watchers)
    return await startServer(parts, listening, { hostname, hosts, origins, report, advise, limits })
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
      'anyone on the network can read the traffic: put a TLS proxy in front (pipe help serve)',
    )
  if (flags.has('quiet')) return
  printWarning(host, `serving ${projects.map(({ cwd }) => cwd).join(', ')}; Ctrl+C stops it`)
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
  if (isPipeError(error)) return `an answer was cut off: ${error.message}`
  return `this is a bug in pipe; the server keeps running\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** Reads where to listen: `HOST:PORT`, `PORT`, `[IPv6]:PORT` or `unix:PATH`. Default: this machine alone, at a free port. Throws `usage`. */
function readListenAddress(text: string | undefined, cwd: string): Listening {
  if (text === undefined) return { type: 'tcp', host: '127.0.0.1', port: 0 }
  const path = /^unix:(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { type: 'unix', path: isAbsolute(path) ? path : resolve(cwd, path) }
  const address = readTcpAddress(text)
  if (address !== undefined) return address
  throw usageError(`--listen takes HOST:PORT or unix:PATH, not ${JSON.stringify(text)}`)
}

/** Reads the files of the page that the build made into the package. Returns `undefined` if it made none. */
async function readPageFiles(packageFolder: string): Promise<PageFiles | undefined> {
  const folder = join(packageFolder, 'dist', 'page')
  try {
    const names = await readdir(folder)
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Names the folders of a server, each once: by the folder's own name, with a number where two have the same. Throws `usage`. */
function nameProjects(folders: readonly string[]): readonly ServedProject[] {
  const taken = new Set<string>()
  const paths = new Set(folders.map((folder) => realFolder(folder, folder)))
  return [...paths].map((cwd) => {
    const own = basename(cwd) || 'root'
    let name = own
    for (let n = 2; taken.has(name); n++) name = `${own}-${n}`
    taken.add(name)
    return { name, cwd }
  })
}

/** Returns the address of a server as others reach it: one that listens on all addresses has many, of which one is named. */
function reachable(url: string): string {
  const [, host = '', port = ''] = /^http:\/\/(0\.0\.0\.0|\[::\]):(\d+)$/.exec(url) ?? []
  if (host === '') return url
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  return `http://${own?.address ?? '127.0.0.1'}:${port}`
}
