import { isPipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { CompletionItem } from './completion.ts'
import { type ArgumentValues, argumentValues, findItems } from './completion-source.ts'
import type { FuzzyFind } from './fuzzy.ts'

export interface ArgumentCompletionsOptions {
  readonly api: FrontendApi
  /** Called when more values are known. */
  readonly onMore: () => void
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
}

/** Finds values for the argument of a command. Reads them once for each time that it is written. */
export class ArgumentCompletions {
  readonly #options: ArgumentCompletionsOptions
  #command: string | undefined
  #values: ArgumentValues | undefined
  #reading = new AbortController()

  constructor(options: ArgumentCompletionsOptions) {
    this.#options = options
  }

  /** Returns the values that match, and whether Enter sends the line as it is. `undefined` before any are known. */
  find(
    command: string,
    query: string,
    find: FuzzyFind,
  ): { readonly items: readonly CompletionItem[]; readonly isComplete: boolean } | undefined {
    if (command !== this.#command) this.#begin(command)
    if (this.#values === undefined) return undefined
    const { items, takes } = this.#values
    const isOne = items.some(({ label }) => label === query)
    return { items: findItems(query, items, find), isComplete: isOne || takes(query) }
  }

  /** Forgets the values. */
  close(): void {
    this.#reading.abort()
    this.#command = undefined
    this.#values = undefined
  }

  #begin(command: string): void {
    this.close()
    this.#command = command
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.#read(command, signal).catch((error: unknown) => {
      // Without values there is nothing to offer: the command itself tells why.
      if (!signal.aborted && !isPipeError(error)) this.#options.fail(error)
    })
  }

  async #read(command: string, signal: AbortSignal): Promise<void> {
    for await (const values of argumentValues(command, this.#options.api, signal)) {
      if (signal.aborted) return
      this.#values = values
      this.#options.onMore()
    }
  }
}
