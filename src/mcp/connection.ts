import { pathToFileURL } from 'node:url'
import {
  Client,
  type ElicitResult,
  type FetchLike,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { oneLine } from '../characters/one-line.ts'
import type { Clock } from '../clock.ts'
import { errorText, hasCode, PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import type { ServerProgram } from '../machine/server-program.ts'
import type { AnyToolServer } from '../machine/tool-server.ts'
import type { Transport as HttpTransport } from '../machine/transport.ts'
import { ServerAuth } from './auth/server-auth.ts'
import { hasOwnAuthorization, type SignInStore } from './auth/sign-in.ts'
import type { ToldProgress } from './call-news.ts'
import { fetchOver } from './http-fetch.ts'
import { HttpSession } from './http-session.ts'
import { IdleLimit } from './idle-limit.ts'
import { ListWatch } from './lists/list-watch.ts'
import type { CleanText } from './lists/listed-tool.ts'
import { anything, noValidator } from './loose-schema.ts'
import { ProgramTransport } from './program-transport.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Holds the parts that connections run on. */
export interface ServerPlatform {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly transport: HttpTransport
  readonly clock: Clock
  /** The environment of servers that pipe starts, without keys. Those of their entry come on top. */
  readonly env: Readonly<Record<string, string>>
  /** The folder that a server may ask for: the real path of the working folder. */
  readonly folder: string
  readonly version: string
  /** Whether a user can answer what servers ask. */
  readonly isAttended: boolean
  readonly clean: CleanText
  /** The user's sign-ins. Default: nobody has signed in, and nothing says who must. */
  readonly signIns?: SignInStore
  /** The program whose servers are in itself. Default: there is none. */
  readonly program?: ServerProgram | undefined
}

/** Whether a server speaks the protocol before or after 2026-07-28. */
export type Era = 'legacy' | 'modern'

/** Names the lists of a server. */
export type ServerList = 'tools' | 'resources' | 'prompts'

const serverLists: readonly ServerList[] = ['tools', 'resources', 'prompts']

export interface ConnectOptions {
  readonly signal: AbortSignal
  /** The era of the server when it was last reached. Default: it is found out. */
  readonly era?: Era | undefined
  /** Answers what the server asks for (`elicitation/create`). Default: it may ask nothing. */
  readonly onAsk?: ((params: unknown) => Promise<ElicitResult>) | undefined
  /** Called when the server says that a list has changed, or may have changed unnoticed. */
  readonly onChanged: (list: ServerList) => void
  /** Called once when the connection ends. */
  readonly onEnd: () => void
}

/** A connection to a server that answers. */
export interface Connection {
  readonly era: Era
  /** Tells how to use the server's tools, in its own words, uncleaned. Default: nothing. */
  readonly instructions: string | undefined
  /** Whether the server says that it can do this. */
  offers(ability: ServerList | 'completions'): boolean
  /** Hears of changed lists from now on, where the server has to be asked for that. Safe to call again. */
  watch(): void
  /** Sends a request. Throws `tool` with the reason of the server, `timeout`, `aborted`. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown>
  /** Why it ended; `undefined` while it runs. */
  reason(): string | undefined
  /** Whether the server has forgotten its session, so that every request fails. */
  isForgotten(): boolean
  /** Ends the session, if the server keeps one, and the connection. */
  close(): Promise<void>
}

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Time in ms without an answer or progress. */
  readonly timeoutMs: number
  /** Headers of the request over HTTP, beside those of the connection. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly onProgress?: ((told: ToldProgress) => void) | undefined
  /** Whether the server waits for the user, so that its time does not pass. */
  readonly isHeld?: (() => boolean) | undefined
}

/** Above all limits of our own: the client would end a call while the user is asked. */
const endless = 2 ** 31 - 1

/** Time in ms for an answer to the first question to a server of unknown era. Older ones may never answer it. */
const probeMs = 2_000

/** Connects to a server. Throws `tool` with the reason if that fails, and `aborted`. */
export async function connect(
  server: AnyToolServer,
  platform: ServerPlatform,
  options: ConnectOptions,
): Promise<Connection> {
  try {
    return await attempt(server, platform, options)
  } catch (error) {
    // A server of an older protocol may end at a question that it does not know.
    const isRetried = options.era !== 'legacy' && server.access.type === 'stdio' && !options.signal.aborted
    if (!isRetried) throw error
    return attempt(server, platform, { ...options, era: 'legacy' })
  }
}

async function attempt(
  { name, access, startMs = 30_000 }: AnyToolServer,
  platform: ServerPlatform,
  { signal, era, onChanged, onAsk, onEnd }: ConnectOptions,
): Promise<Connection> {
  const client = new Client(
    { name: 'pipe', version: platform.version },
    {
      capabilities: { roots: {}, ...(onAsk !== undefined && { elicitation: { form: {}, url: {} } }) },
      jsonSchemaValidator: noValidator,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
    },
  )
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(platform.folder).href }] }))
  if (onAsk !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onAsk(params))
  for (const list of serverLists)
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => onChanged(list))
  const stdio =
    access.type === 'stdio'
      ? new StdioTransport({ ...platform, server: access, env: { ...platform.env, ...access.env } })
      : undefined
  const auth = authOf(name, access, platform)
  const isInProgram = access.type === 'program' && platform.program !== undefined
  const inProgram = isInProgram ? new ProgramTransport(name, platform.program) : undefined
  const transport = stdio ?? inProgram ?? httpTransport(access, platform, auth)
  const session = transport instanceof StreamableHTTPClientTransport ? new HttpSession(transport) : undefined
  let hasEnded = false
  const reason = () => {
    const ended = stdio?.ended
    if (ended === undefined) return hasEnded ? 'the connection was closed' : undefined
    const { exit, stderr } = ended
    const how = exit.signal === null ? `exited with code ${exit.exitCode}` : `was ended by ${exit.signal}`
    const words = lastWords(stderr)
    return `it ${how}${words === '' ? '' : `: ${words}`}`
  }
  client.onclose = () => {
    hasEnded = true
    onEnd()
  }
  const close = async () => {
    await session?.end(platform.clock)
    await client.close()
    await stdio?.close()
  }
  const start = new IdleLimit(platform.clock, startMs)
  try {
    await client.connect(transport, {
      timeout: endless,
      signal: AbortSignal.any([signal, start.signal]),
      ...((era === 'legacy' || isOld(access)) && { prior: { kind: 'legacy' } }),
    })
  } catch (error) {
    const late = start.signal.aborted
      ? `it did not answer within ${startMs / 1_000} s; startup_timeout_sec in its entry allows more`
      : undefined
    await close()
    throw failure(name, (await auth?.explain(error)) ?? error, { signal, reason: late ?? reason() })
  } finally {
    start.release()
  }
  const watch = new ListWatch(client, onChanged)
  return {
    era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
    instructions: client.getInstructions(),
    offers: (ability) => client.getServerCapabilities()?.[ability] !== undefined,
    watch: () => watch.open(),
    reason,
    isForgotten: () => session?.isOver === true,
    close,
    async request(method, params, { signal: stop, timeoutMs, headers, onProgress, isHeld }) {
      const limit = new IdleLimit(platform.clock, timeoutMs, isHeld)
      const onprogress = (told: ToldProgress) => {
        limit.restart()
        onProgress?.(told)
      }
      try {
        return await client.request({ method, params: { ...params } }, anything, {
          signal: AbortSignal.any([stop, limit.signal]),
          timeout: endless,
          ...(headers !== undefined && { headers: { ...headers } }),
          ...(onProgress !== undefined && { onprogress }),
        })
      } catch (error) {
        session?.note(error)
        const late = limit.signal.aborted ? `it took longer than ${timeoutMs / 1_000} s` : undefined
        const told = (await auth?.explain(error)) ?? error
        throw failure(name, told, { signal: stop, reason: reason() ?? late })
      } finally {
        limit.release()
      }
    },
  }
}

/** Returns the line of a stack or a log that says most: the last one that names an error, else the last one. */
function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const telling =
    lines.findLast((line) => /^\S*(?:error|fatal|usage)\b/i.test(line.trim())) ?? lines.at(-1) ?? ''
  return oneLine(telling, 300)
}

/** Whether a server can only speak a protocol before 2026-07-28, so that no question has to find it out. */
function isOld(access: AnyToolServer['access']): boolean {
  return access.type === 'program' || (access.type === 'http' && access.isEventStream === true)
}

function httpTransport(
  access: AnyToolServer['access'],
  { transport }: Pick<ServerPlatform, 'transport'>,
  auth: ServerAuth | undefined,
): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(access.type === 'http' ? access.url : '')
  const optionsOver = (send: FetchLike) => ({
    fetch: auth?.watching(send) ?? send,
    requestInit: { headers: access.type === 'http' ? { ...access.headers } : {} },
    ...(auth !== undefined && { authProvider: auth }),
  })
  if (access.type !== 'http' || access.isEventStream !== true)
    return new StreamableHTTPClientTransport(url, {
      ...optionsOver(fetchOver(transport)),
      onInsufficientScope: 'throw',
    })
  // The transport would open another stream, whose server knows nothing of this session.
  const end = () => void events.close()
  const events = new SSEClientTransport(url, optionsOver(fetchOver(transport, end)))
  return events
}

/** Signs requests to a URL, unless its entry does so itself. */
function authOf(
  name: string,
  access: AnyToolServer['access'],
  { signIns, transport, clock, clean }: ServerPlatform,
): ServerAuth | undefined {
  if (signIns === undefined || access.type !== 'http' || hasOwnAuthorization(access)) return undefined
  return new ServerAuth({ name, server: access, store: signIns, transport, clock, clean })
}

/** Words a failure of a server: a user's abort as such, else what the server or the connection said. */
function failure(
  server: string,
  error: unknown,
  { signal, reason }: { readonly signal: AbortSignal; readonly reason: string | undefined },
): PipeError {
  if (signal.aborted) return new PipeError('aborted', 'interrupted', { cause: error })
  if (hasCode(error, 'auth')) return error
  const text = reason ?? errorText(error)
  return new PipeError('tool', `the MCP server ${server} failed: ${text}`, { cause: error })
}
