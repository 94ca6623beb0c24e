import { findToolServers } from '../../../config/mcp/find-servers.ts'
import { readServer } from '../../../config/mcp/server-fields.ts'
import type { FolderTrust } from '../../../config/trust/folder-trust.ts'
import { failureOf, isPipeError, PipeError } from '../../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import type { ManagedServer } from '../../../mcp/managed-server.ts'
import type { ServerPool } from '../../../mcp/server-pool.ts'
import { manageInProgram, manageServers, type PoolParts } from '../tools/server-pools.ts'
import { serverInProgram } from './server-in-program.ts'

/** The outcome of a change of the servers. */
export interface ChangedServers {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Maps names of servers that cannot be used to the reason. */
  readonly errors: Readonly<Record<string, string>>
}

export interface ServerChangesOptions {
  /** The pools that hold the servers of the run. */
  readonly pools: readonly ServerPool[]
  /** The servers of the program that the run begins with. */
  readonly begun: readonly ManagedServer[]
  readonly parts: PoolParts
  readonly trust: FolderTrust
}

/** A server that the program added, and what it said of it. */
interface Added {
  readonly managed: ManagedServer
  readonly entry: string
}

/** The servers that the program which drives a run adds and removes. */
export class ServerChanges {
  readonly #options: ServerChangesOptions
  #added: ReadonlyMap<string, Added>
  /** Settles once the last change is done: one comes after the other. */
  #changing: Promise<void> = Promise.resolve()

  constructor(options: ServerChangesOptions) {
    this.#options = options
    this.#added = new Map(
      options.begun.map((managed) => [
        managed.server.name,
        { managed, entry: inProgram(managed.server.name) },
      ]),
    )
  }

  /** Replaces what the program added by these servers, and starts the new ones. Those of files stay. Throws `aborted`. */
  set(servers: JsonObject, signal: AbortSignal): Promise<ChangedServers> {
    const changed = this.#changing.then(() => this.#set(servers, signal))
    this.#changing = Promise.allSettled([changed]).then(() => undefined)
    return changed
  }

  /** Starts a server anew. Throws `input` for an unknown one, `tool` with the reason if it fails, `aborted`. */
  async reconnect(name: string, signal: AbortSignal): Promise<void> {
    const server = this.#named(name)
    await server.restart()
    await server.tools(signal)
  }

  /** Turns a server off or on for the rest of the run. Throws as `reconnect`. */
  async turn(name: string, isOn: boolean, signal: AbortSignal): Promise<void> {
    const server = this.#named(name)
    for (const pool of this.#options.pools) pool.turn(name, isOn)
    if (isOn) await server.tools(signal)
    else await server.restart()
  }

  async close(): Promise<void> {
    await this.#changing
    await Promise.all([...this.#added.values()].map(({ managed }) => managed.close()))
  }

  async #set(servers: JsonObject, signal: AbortSignal): Promise<ChangedServers> {
    const { pools } = this.#options
    const errors: Record<string, string> = {}
    const kept = new Map<string, Added>()
    const wanted = new Map<string, JsonValue>()
    for (const [name, entry] of Object.entries(servers)) {
      const before = this.#added.get(name)
      if (before?.entry === textOf(name, entry)) kept.set(name, before)
      else wanted.set(name, entry)
    }
    const gone = [...this.#added].filter(([name]) => !kept.has(name))
    const added = new Map<string, Added>()
    for (const [name, entry] of wanted) {
      const managed = await this.#open(name, entry).catch((error: unknown) => {
        if (!isPipeError(error)) throw error
        errors[name] = error.message
        return undefined
      })
      if (managed !== undefined) added.set(name, { managed, entry: textOf(name, entry) })
    }
    const names = new Set([...gone.map(([name]) => name), ...added.keys()])
    // One of a file that the program names ends too.
    const old = new Set([...names].flatMap((name) => pools.flatMap((pool) => pool.named(name) ?? [])))
    for (const pool of pools)
      pool.replace(
        names,
        [...added.values()].map(({ managed }) => managed),
      )
    this.#added = new Map([...kept, ...added])
    await Promise.all([...old].map((one) => one.close()))
    for (const [name, { managed }] of added) {
      const failure = await failureOf(managed.tools(signal))
      if (failure !== undefined) errors[name] = failure.message
    }
    const removed = gone.map(([name]) => name).filter((name) => !added.has(name))
    return { added: [...added.keys()], removed, errors }
  }

  #named(name: string): ManagedServer {
    const found = this.#options.pools.map((pool) => pool.named(name)).find((one) => one !== undefined)
    if (found === undefined)
      throw new PipeError('input', `there is no MCP server ${JSON.stringify(name)} here`)
    return found
  }

  async #open(name: string, entry: JsonValue): Promise<ManagedServer> {
    const { parts, trust } = this.#options
    if (isJsonObject(entry) && entry['type'] === 'sdk') {
      const [managed] = await manageInProgram([serverInProgram(name, entry)], parts)
      if (managed !== undefined) return managed
    }
    const read = readServer(name, entry, undefined)
    if (read.type === 'refused') throw new PipeError('config', read.reason)
    const found = await findToolServers({
      own: { path: '', servers: {} },
      trust,
      given: { servers: [{ path: 'mcp_set_servers', servers: { [name]: entry } }], onlyServers: true },
    })
    const [managed] = await manageServers(found.servers, parts)
    if (managed === undefined) throw new PipeError('config', 'it is off, or a variable in it is not set')
    return managed
  }
}

/** Tells whether an entry is still the same. Of a server in the program only the name counts. */
function textOf(name: string, entry: JsonValue): string {
  return isJsonObject(entry) && entry['type'] === 'sdk' ? inProgram(name) : JSON.stringify(entry)
}

function inProgram(name: string): string {
  return JSON.stringify({ type: 'sdk', name })
}
