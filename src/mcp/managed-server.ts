import type { ElicitResult } from '@modelcontextprotocol/client'
import { isPipeError, untilAborted } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import type { AnyToolServer } from '../machine/tool-server.ts'
import type { Connection, RequestOptions, ServerPlatform } from './connection.ts'
import type { HeldList } from './lists/held-list.ts'
import type { ListedPrompt } from './lists/listed-prompt.ts'
import type { CleanText, ListedTool } from './lists/listed-tool.ts'
import { SeenTools, type ServerTool } from './lists/seen-tools.ts'
import { type OfferedResources, type OfferedTools, ServerLists } from './lists/server-lists.ts'
import { headersOf } from './param-headers.ts'
import { ServerLink } from './server-link.ts'
import type { ServerMemory } from './server-memory.ts'

/** A server that may run, with what it is remembered by. */
export interface UsableServer {
  readonly server: AnyToolServer
  readonly hash: string
}

/** Names the state of a server. */
export type ServerState =
  | { readonly type: 'idle' }
  | { readonly type: 'starting' }
  | ({ readonly type: 'ready' } & OfferedTools)
  | { readonly type: 'failed'; readonly reason: string }

export interface CallOptions extends Pick<RequestOptions, 'signal' | 'onProgress'> {
  /** Answers what the server asks for during the call. */
  readonly onAsk: (params: unknown) => Promise<ElicitResult>
}

/** Characters of what a server says about using its tools. */
const longestAdvice = 2_048

/** A server that is started when it is needed, and again after it died. Its lists are asked for at their first use. */
export class ManagedServer {
  readonly server: AnyToolServer
  readonly #clean: CleanText
  readonly #seen: SeenTools
  readonly #link: ServerLink
  readonly #stop = new AbortController()
  readonly #lists: ServerLists
  /** Those who answer for the calls that run, the newest last: a server does not say which call it asks for. */
  readonly #asking = new Set<CallOptions['onAsk']>()
  /** Settles once no list is being read. */
  #listing: Promise<void> = Promise.resolve()
  /** Questions that the user has yet to answer. */
  #open = 0

  constructor({ server, hash }: UsableServer, platform: ServerPlatform, memory: ServerMemory) {
    this.server = server
    this.#clean = platform.clean
    this.#seen = new SeenTools(hash, memory)
    this.#lists = new ServerLists({
      server,
      platform,
      seen: this.#seen,
      signal: this.#stop.signal,
      onProof: () => this.#link.prove(),
    })
    this.#link = new ServerLink({
      server,
      platform,
      signal: this.#stop.signal,
      era: () => this.#seen.era,
      onAsk: platform.isAttended ? (params) => this.#ask(params) : undefined,
      onChanged: (list) => this.#lists[list].forget(),
    })
  }

  get state(): ServerState {
    const { state } = this.#link
    if (state.type !== 'open') return state
    const {
      fault,
      tools: { known },
    } = this.#lists
    if (fault !== undefined) return { type: 'failed', reason: fault }
    return known === undefined ? { type: 'starting' } : { type: 'ready', ...known }
  }

  /** The names of the tools that it had when it was last reached. */
  get remembered(): readonly string[] {
    return this.#seen.names
  }

  /** Tells how to use its tools, in its own words, cleaned and cut; `undefined` if it says nothing or does not run. */
  get advice(): string | undefined {
    const said = this.#link.current?.instructions
    if (said === undefined) return undefined
    const text = this.#clean(said.slice(0, 4 * longestAdvice)).trim()
    return text.length > longestAdvice ? `${text.slice(0, longestAdvice)}…` : text || undefined
  }

  /** The prompts that it listed last, in an earlier run too. While it runs, a list that has changed is asked for. */
  knownPrompts(): readonly ListedPrompt[] {
    const { prompts } = this.#lists
    const { current } = this.#link
    if (current !== undefined) this.#await(prompts.read(current))
    return prompts.known ?? this.#seen.prompts
  }

  /** Whether it runs and has resources. */
  get hasResources(): boolean {
    return this.#link.current?.offers('resources') === true
  }

  /** Lists its tools, and starts it before if need be. Throws `tool` with the reason, and `aborted`. */
  async tools(signal: AbortSignal): Promise<readonly ServerTool[]> {
    const { tools } = await this.#read(this.#lists.tools, signal)
    this.knownPrompts()
    return tools
  }

  /** Lists its resources. Throws as `tools` does. */
  resources(signal: AbortSignal): Promise<OfferedResources> {
    return this.#read(this.#lists.resources, signal)
  }

  /** Lists its prompts. Throws as `tools` does. */
  prompts(signal: AbortSignal): Promise<readonly ListedPrompt[]> {
    return this.#read(this.#lists.prompts, signal)
  }

  /** Returns a tool as it is since its server said that tools changed, or was started again; `undefined` if it was not. Throws as `tools` does. */
  async renewed(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly tool: ServerTool | undefined } | undefined> {
    if (this.#lists.tools.isOf(this.#link.current)) return undefined
    const tools = await this.tools(signal)
    return { tool: tools.find((one) => one.name === name) }
  }

  /** Calls a tool by its own name. Returns the result as it came. Throws as `tools` does. */
  async call(
    { name, schema }: ListedTool,
    args: JsonObject,
    { onAsk, ...options }: CallOptions,
  ): Promise<unknown> {
    const headers = this.server.access.type === 'http' ? headersOf(schema, args) : undefined
    this.#asking.add(onAsk)
    try {
      return await this.#request('tools/call', { name, arguments: args }, { ...options, headers })
    } catch (error) {
      // The list that told of the headers is no longer true.
      if (isPipeError(error) && isHeaderMismatch(error.cause)) this.#lists.tools.forget()
      throw error
    } finally {
      this.#asking.delete(onAsk)
    }
  }

  /** Reads a resource. Returns the result as it came. Throws as `tools` does. */
  readResource(uri: string, signal: AbortSignal): Promise<unknown> {
    return this.#request('resources/read', { uri }, { signal })
  }

  /** Gets a prompt. Returns the result as it came. Throws as `tools` does. */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    return this.#request('prompts/get', { name, arguments: args }, { signal })
  }

  /** Asks for values of a place in a template. Returns the result as it came; `undefined` if it offers none. Throws as `tools` does. */
  async complete(params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const connection = await untilStopped(this.#link.open(), signal)
    return connection.offers('completions')
      ? this.#request('completion/complete', params, { signal })
      : undefined
  }

  /** Notes that a user has allowed a tool as it is now. */
  async accept(tool: string): Promise<void> {
    const { known } = this.#lists.tools
    if (known === undefined) return
    const tools = known.tools.map((one) => (one.name === tool ? { ...one, isChanged: false } : one))
    this.#lists.tools.replace({ ...known, tools })
    await this.#seen.remember(tools, this.#seen.era ?? 'legacy')
  }

  /** Forgets a failure and a connection, so that the next use starts it anew. */
  restart(): Promise<void> {
    this.#lists.fault = undefined
    return this.#link.restart()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#link.close()
    await this.#listing
  }

  /** Has `close` wait for a list, which may be about to be remembered. Who needs the list hears why it fails. */
  #await(list: Promise<unknown>): void {
    this.#listing = Promise.allSettled([this.#listing, list]).then(() => undefined)
  }

  async #ask(params: unknown): Promise<ElicitResult> {
    this.#open += 1
    try {
      return (await [...this.#asking].at(-1)?.(params)) ?? { action: 'cancel' }
    } finally {
      this.#open -= 1
    }
  }

  async #request(
    method: string,
    params: JsonObject,
    options: Pick<RequestOptions, 'signal' | 'onProgress' | 'headers'>,
  ): Promise<unknown> {
    const timeoutMs = this.server.callMs ?? 60_000
    return this.#use(options.signal, (connection) =>
      connection.request(method, params, { ...options, timeoutMs, isHeld: () => this.#open > 0 }),
    )
  }

  #read<T>(list: HeldList<T>, signal: AbortSignal): Promise<T> {
    return this.#use(signal, (connection) => {
      connection.watch()
      const reading = list.read(connection)
      this.#await(reading)
      return untilStopped(reading, signal)
    })
  }

  /** Uses the connection, and once more a new one if the server has forgotten its session. */
  async #use<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await untilStopped(this.#link.open(), signal)
    try {
      return await work(connection)
    } catch (error) {
      if (!connection.isForgotten()) throw error
      return work(await untilStopped(this.#link.replace(connection), signal))
    }
  }
}

/** Whether a server wants other headers for a call than it got. */
function isHeaderMismatch(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === -32_020
}

/** Waits for work that others wait for too, so an abort ends the waiting alone. */
function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Many servers wait on one signal, and Node warns of more than ten listeners: each listens to a signal that follows it.
  return untilAborted(work, AbortSignal.any([signal]))
}
