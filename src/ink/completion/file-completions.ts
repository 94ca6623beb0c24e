import type { Clock } from '../../clock.ts'
import type { WorkspaceFiles } from '../../frontend/conversation-view.ts'
import type { CompletionItem } from './completion.ts'
import { FileIndex } from './file-index.ts'
import { FileSearch, mostFound, sliceSize } from './file-search.ts'
import type { FuzzyFind, FuzzyMatch } from './fuzzy.ts'

export interface FileCompletionsOptions {
  readonly files: WorkspaceFiles
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The files that the conversation touched, the last one first. */
  readonly touched: () => readonly string[]
}

/** Finds files and folders to mention. */
export class FileCompletions {
  readonly #options: FileCompletionsOptions
  readonly #index: FileIndex
  /** The paths that were found last, by their query. */
  #last: { readonly query: string; readonly items: readonly CompletionItem[] } | undefined

  constructor(options: FileCompletionsOptions) {
    this.#options = options
    this.#index = new FileIndex(options)
  }

  /** Whether there is such a file or folder, as far as the found ones tell. */
  has(query: string): boolean {
    return this.#last?.items.some(({ label }) => label === query || label === `${query}/`) === true
  }

  /** Returns what is known at once: all matches among few files, else those among the last ones found. */
  findNow(query: string, find: FuzzyFind): readonly CompletionItem[] {
    const { paths } = this.#index
    const search = new FileSearch({ find, clock: this.#options.clock })
    if (query === '') return this.#keep(query, this.#recent())
    if (paths.length <= sliceSize) return this.#keep(query, search.searchNow(query, paths).map(itemOf))
    const last = this.#last?.items ?? []
    return search
      .searchNow(
        query,
        last.map(({ label }) => label),
      )
      .map(itemOf)
  }

  /** Yields the best matches among all files, once more after these were read again. Yields nothing if `findNow` has told all. */
  async *find(
    query: string,
    find: FuzzyFind,
    signal: AbortSignal,
  ): AsyncGenerator<readonly CompletionItem[], undefined, undefined> {
    const index = this.#index
    // They are read again for a new word only, not while it is written.
    const reading = index.isEmpty || (query === '' && index.isStale) ? index.read() : index.reading
    if (index.paths.length > sliceSize && query !== '') yield await this.#search(query, find, signal)
    if (reading === undefined) return
    await reading
    if (signal.aborted) return
    yield query === '' ? this.#keep(query, this.#recent()) : await this.#search(query, find, signal)
  }

  async #search(query: string, find: FuzzyFind, signal: AbortSignal): Promise<readonly CompletionItem[]> {
    const search = new FileSearch({ find, clock: this.#options.clock })
    const found = await search.search(query, this.#index.paths, signal)
    return this.#keep(query, found.map(itemOf))
  }

  /** Lists the files that the conversation touched, then the newest ones. */
  #recent(): readonly CompletionItem[] {
    const { newest } = this.#index
    const all = new Set([...touchedPaths(this.#options), ...newest])
    return [...all].slice(0, mostFound).map((label) => ({ label, matched: [] }))
  }

  #keep(query: string, items: readonly CompletionItem[]): readonly CompletionItem[] {
    this.#last = { query, items }
    return items
  }
}

function touchedPaths({ touched, files }: FileCompletionsOptions): readonly string[] {
  return touched().flatMap((path) => files.nameOf(path) ?? [])
}

function itemOf({ target, matched }: FuzzyMatch): CompletionItem {
  return { label: target, matched }
}
