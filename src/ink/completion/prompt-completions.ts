import type { Clock } from '../../clock.ts'
import { isPipeError } from '../../error.ts'
import type { ServerPrompts } from '../../frontend/server-prompts.ts'
import { printable } from '../../terminal/printable.ts'
import type { CompletionItem } from './completion.ts'
import { findItems } from './completion-source.ts'
import type { FuzzyFind } from './fuzzy.ts'

export interface PromptCompletionsOptions {
  readonly prompts: ServerPrompts
  readonly clock: Pick<Clock, 'after'>
  /** Called when values are known. */
  readonly onMore: () => void
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
}

/** Time in ms without a key before a server is asked. */
const restMs = 150

/** Time in ms for its answer. */
const answerMs = 5_000

/** Finds values for the arguments of prompts of MCP servers. A server is asked once the user stops typing, for one argument at a time. */
export class PromptCompletions {
  readonly #options: PromptCompletionsOptions
  #asked: string | undefined
  #items: readonly CompletionItem[] = []
  #reading = new AbortController()
  #forget: () => void = () => undefined

  constructor(options: PromptCompletionsOptions) {
    this.#options = options
  }

  /** Whether the words of a command are those of a prompt with arguments. */
  has(command: string): boolean {
    return this.#options.prompts.has(command)
  }

  /** Returns the values that fit the last word, as far as they are known, and how many characters of the words stand before it. */
  find(
    command: string,
    words: string,
    find: FuzzyFind,
  ): { readonly items: readonly CompletionItem[]; readonly before: number } | undefined {
    const open = openArgument(words)
    if (open === undefined) {
      this.close()
      return undefined
    }
    const key = `${command} ${words}`
    if (key !== this.#asked) this.#begin(key, { command, words: open.earlier, typed: open.typed })
    return { items: findItems(open.typed, this.#items, find), before: open.before }
  }

  close(): void {
    this.#forget()
    this.#reading.abort()
    this.#asked = undefined
    this.#items = []
  }

  #begin(key: string, argument: Parameters<ServerPrompts['values']>[0]): void {
    const { clock } = this.#options
    // What fits so far stays in view while a letter more is asked for.
    const isSameArgument = this.#asked?.startsWith(key.slice(0, key.length - argument.typed.length)) === true
    const kept = isSameArgument ? this.#items : []
    this.close()
    this.#items = kept
    this.#asked = key
    const reading = new AbortController()
    this.#reading = reading
    this.#forget = clock.after(restMs, () => {
      this.#forget = clock.after(answerMs, () => reading.abort())
      this.#read(argument, reading.signal).catch((error: unknown) => {
        // A server that fails has nothing to offer: sending the message tells why.
        if (!reading.signal.aborted && !isPipeError(error)) this.#options.fail(error)
      })
    })
  }

  async #read(argument: Parameters<ServerPrompts['values']>[0], signal: AbortSignal): Promise<void> {
    const { prompts, onMore } = this.#options
    const values = await prompts.values(argument, signal)
    if (signal.aborted) return
    this.#forget()
    this.#items = values.map((value) => ({
      label: printable(value),
      matched: [],
      text: `${spelled(value)} `,
    }))
    onMore()
  }
}

/** Writes a value as a word of the line. */
function spelled(value: string): string {
  return /[\s']/.test(value) ? `"${value}"` : value
}

/** The word that the line ends in, and those before it. `undefined` behind a quote that is closed. */
function openArgument(
  words: string,
): { readonly earlier: readonly string[]; readonly typed: string; readonly before: number } | undefined {
  const found = [...words.matchAll(/"([^"]*)("?)|'([^']*)('?)|(\S+)/g)]
  const read = found.map(([whole, double, doubleEnd, single, singleEnd, bare], i) => ({
    text: double ?? single ?? bare ?? '',
    at: found[i]?.index ?? 0,
    end: (found[i]?.index ?? 0) + whole.length,
    isClosed: doubleEnd === '"' || singleEnd === "'",
  }))
  const last = read.at(-1)
  if (last === undefined || (last.end < words.length && /\s$/.test(words)))
    return { earlier: read.map(({ text }) => text), typed: '', before: words.length }
  if (last.isClosed) return undefined
  return { earlier: read.slice(0, -1).map(({ text }) => text), typed: last.text, before: last.at }
}
