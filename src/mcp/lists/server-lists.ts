import { isPipeError } from '../../error.ts'
import type { JsonValue } from '../../json-value.ts'
import type { AnyToolServer } from '../../machine/tool-server.ts'
import type { Connection, ServerPlatform } from '../connection.ts'
import { hasValidHeaders } from '../param-headers.ts'
import { HeldList, type LoadedList } from './held-list.ts'
import { readPages } from './list-pages.ts'
import { type ListedPrompt, readListedPrompt } from './listed-prompt.ts'
import {
  type ListedResource,
  type ListedTemplate,
  readListedResource,
  readListedTemplate,
} from './listed-resource.ts'
import { type ListedTool, readListedTools } from './listed-tool.ts'
import type { SeenTools, ServerTool } from './seen-tools.ts'

/** The tools of a server, and the names of those that cannot be used. */
export interface OfferedTools {
  readonly tools: readonly ServerTool[]
  readonly unusable: readonly string[]
}

/** The resources of a server. */
export interface OfferedResources {
  readonly resources: readonly ListedResource[]
  readonly templates: readonly ListedTemplate[]
}

export interface ServerListsOptions {
  readonly server: AnyToolServer
  readonly platform: Pick<ServerPlatform, 'clock' | 'clean'>
  readonly seen: SeenTools
  /** Ends all loading. */
  readonly signal: AbortSignal
  /** Called when the server has shown that it works. */
  readonly onProof: () => void
}

/** Reads the lists of a server piece by piece: one bad entry costs only itself. */
export class ServerLists {
  readonly #options: ServerListsOptions
  readonly tools: HeldList<OfferedTools>
  readonly resources: HeldList<OfferedResources>
  readonly prompts: HeldList<readonly ListedPrompt[]>
  /** Why the tools could not be listed. */
  fault: string | undefined

  constructor(options: ServerListsOptions) {
    this.#options = options
    const { clock } = options.platform
    this.tools = new HeldList(clock, (connection) => this.#listTools(connection))
    this.resources = new HeldList(clock, (connection) => this.#listResources(connection))
    this.prompts = new HeldList(clock, (connection) => this.#listPrompts(connection))
  }

  #pages(connection: Connection, method: string, field: string): Promise<LoadedList<readonly JsonValue[]>> {
    const { signal, server } = this.#options
    return readPages(connection, { method, field, signal, timeoutMs: server.startMs ?? 30_000 })
  }

  async #listTools(connection: Connection): Promise<LoadedList<OfferedTools>> {
    // A server that says nothing of itself is asked all the same.
    const isAsked =
      connection.offers('tools') || !(connection.offers('resources') || connection.offers('prompts'))
    const listed = isAsked ? await this.#askForTools(connection) : { value: [], ttlMs: undefined }
    const { server, platform, seen, onProof } = this.#options
    const { only, except = [], access } = server
    const read = readListedTools(listed.value, platform.clean)
    const offered = distinct(read.tools).filter(
      ({ name }) => (only?.includes(name) ?? true) && !except.includes(name),
    )
    const needsHeaders = access.type === 'http' && connection.era === 'modern'
    const isUsable = ({ schema }: ListedTool) => !needsHeaders || hasValidHeaders(schema)
    const tools = seen.compare(offered.filter(isUsable))
    const unusable = [...read.unusable, ...offered.filter((one) => !isUsable(one)).map(({ name }) => name)]
    onProof()
    this.fault = undefined
    await seen.remember(tools, connection.era)
    return { value: { tools, unusable }, ttlMs: listed.ttlMs }
  }

  async #askForTools(connection: Connection): Promise<LoadedList<readonly JsonValue[]>> {
    try {
      return await this.#pages(connection, 'tools/list', 'tools')
    } catch (error) {
      this.fault = isPipeError(error) ? error.message : String(error)
      throw error
    }
  }

  async #listResources(connection: Connection): Promise<LoadedList<OfferedResources>> {
    if (!connection.offers('resources')) return { value: { resources: [], templates: [] }, ttlMs: undefined }
    const { clean } = this.#options.platform
    const listed = await this.#pages(connection, 'resources/list', 'resources')
    const families = await this.#pages(connection, 'resources/templates/list', 'resourceTemplates')
    const resources = listed.value.flatMap((one) => readListedResource(one, clean))
    const templates = families.value.flatMap((one) => readListedTemplate(one, clean))
    const times = [listed.ttlMs, families.ttlMs].filter((one) => one !== undefined)
    return { value: { resources, templates }, ttlMs: times.length === 0 ? undefined : Math.min(...times) }
  }

  async #listPrompts(connection: Connection): Promise<LoadedList<readonly ListedPrompt[]>> {
    if (!connection.offers('prompts')) return { value: [], ttlMs: undefined }
    const { value, ttlMs } = await this.#pages(connection, 'prompts/list', 'prompts')
    const { platform, seen } = this.#options
    const prompts = value.flatMap((one) => readListedPrompt(one, platform.clean))
    await seen.rememberPrompts(prompts, connection.era)
    return { value: prompts, ttlMs }
  }
}

/** Keeps the first of several tools of a name. */
function distinct(tools: readonly ListedTool[]): readonly ListedTool[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed()
}
