import { isPipeError } from '../../error.ts'
import type { OfferedResource, ServerResources } from '../../frontend/server-resources.ts'
import { printable } from '../../terminal/printable.ts'
import type { CompletionItem } from './completion.ts'
import { findItems } from './completion-source.ts'
import type { FuzzyFind } from './fuzzy.ts'

export interface ResourceCompletionsOptions {
  readonly resources: ServerResources
  /** Called when more are known. */
  readonly onMore: () => void
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
}

/** Finds resources of MCP servers to mention. A server is started once its name and a colon are written, and not before. */
export class ResourceCompletions {
  readonly #options: ResourceCompletionsOptions
  /** The last request. */
  #query: string | undefined
  #server: string | undefined
  #found: readonly CompletionItem[] = []
  #reading = new AbortController()

  constructor(options: ResourceCompletionsOptions) {
    this.#options = options
  }

  /** Lists the servers that a word may go on to. */
  servers(query: string): readonly CompletionItem[] {
    return this.#options.resources
      .running()
      .filter((name) => name.startsWith(query))
      .map((name) => ({
        label: `${name}:`,
        matched: Array.from(query, (_, at) => at),
        help: 'resources of an MCP server',
        text: `@${name}:`,
      }))
  }

  /** Returns what matches, as far as it is known. `undefined` for a word that names no server. */
  find(query: string, find: FuzzyFind): readonly CompletionItem[] | undefined {
    const { resources } = this.#options
    const [, server] = /^([^:]+):/.exec(query) ?? []
    if (server === undefined || !resources.has(server)) {
      this.close()
      return undefined
    }
    if (server !== this.#server) this.#found = []
    this.#server = server
    if (query !== this.#query) this.#begin(server, query)
    return findItems(query.endsWith(':') ? '' : query, this.#found, find)
  }

  /** Whether a resource has this very name. */
  has(query: string): boolean {
    return this.#found.some(({ label, text }) => label === query && text === undefined)
  }

  close(): void {
    this.#reading.abort()
    this.#query = undefined
    this.#server = undefined
    this.#found = []
  }

  #begin(server: string, query: string): void {
    this.#reading.abort()
    this.#query = query
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.#read(server, query, signal).catch((error: unknown) => {
      // A server that fails has nothing to offer: sending the message tells why.
      if (!signal.aborted && !isPipeError(error)) this.#options.fail(error)
    })
  }

  async #read(server: string, query: string, signal: AbortSignal): Promise<void> {
    const { resources, onMore } = this.#options
    const found = await resources.find(server, query.slice(server.length + 1), signal)
    if (signal.aborted) return
    const items = found.map((one) => itemOf(server, one))
    this.#found = [...new Map(items.map((item) => [item.label, item])).values()]
    onMore()
  }
}

function itemOf(server: string, { uri, about, isOpen }: OfferedResource): CompletionItem {
  const label = printable(`${server}:${uri}`)
  const help = printable(about)
  return { label, matched: [], help, ...(isOpen && { text: `@${label}` }) }
}
