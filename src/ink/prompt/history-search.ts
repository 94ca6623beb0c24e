import type { Bindings } from '../keys/bindings.ts'
import { graphemes } from '../rows/columns.ts'
import type { Key } from '../tty/key.ts'
import { editPrompt } from './editing.ts'
import { type Prompt, type PromptText, writePrompt } from './prompt.ts'

/** A search in the messages that were sent before, newest first. */
export interface Search {
  readonly query: string
  /** Index of the message found in the history; absent before the first one is. */
  readonly index: number | undefined
  /** Whether no further message was found. */
  readonly isOver: boolean
}

export type SearchAction =
  | { readonly type: 'search'; readonly search: Search | undefined }
  /** Ends the search with this draft. */
  | { readonly type: 'edit'; readonly prompt: Prompt }
  | { readonly type: 'nothing' }

export const newSearch: Search = { query: '', index: undefined, isOver: false }

/** Longest query: it is one row, and a paste may be huge. */
const longestQuery = 200

/** Reads a key of the search. Keys that edit take what was found first. */
export function readSearchKey(prompt: Prompt, search: Search, key: Key, bindings: Bindings): SearchAction {
  if (key.type !== 'press') return look(prompt, search, search.query + key.text.replace(/\s+/g, ' '))
  const names = bindings.byKey.get(key.name)?.map(({ name }) => name) ?? []
  if (names.includes('history_search')) return step(prompt, search, -1)
  if (names.includes('search_newer')) return step(prompt, search, 1)
  if (names.includes('delete_back')) {
    const last = graphemes(search.query).at(-1) ?? ''
    return look(prompt, { ...search, index: undefined }, search.query.slice(0, -last.length || undefined))
  }
  if (leaving.has(key.name)) return { type: 'search', search: undefined }
  const taken = foundIn(prompt, search)
  const written = taken === undefined ? prompt : writePrompt(prompt, taken)
  if (key.name === 'enter' || key.name === 'tab') return end(prompt, written)
  const edited = editPrompt(written, key)
  return edited === undefined ? { type: 'nothing' } : end(prompt, edited)
}

/** Keys that leave the draft as it was. */
const leaving: ReadonlySet<string> = new Set(['esc', 'ctrl+c', 'ctrl+g', 'ctrl+d'])

/** Returns the search after `added` earlier messages came into the history, which may hold what it did not find. */
export function searchAgain({ history }: Prompt, search: Search, added: number): Search {
  const { query, index } = search
  if (index !== undefined) return { ...search, index: index + added, isOver: false }
  const found = query === '' ? undefined : next(history, query, history.length, -1)
  return { query, index: found, isOver: query !== '' && found === undefined }
}

/** Returns the message that the search has found. */
export function foundIn({ history }: Pick<Prompt, 'history'>, { index }: Search): PromptText | undefined {
  return index === undefined ? undefined : history[index]
}

function end(before: Prompt, after: Prompt): SearchAction {
  return after === before ? { type: 'search', search: undefined } : { type: 'edit', prompt: after }
}

/** Searches for other words, from the message found on. */
function look({ history }: Prompt, { index }: Search, words: string): SearchAction {
  const query = words.slice(0, longestQuery)
  if (query === '') return { type: 'search', search: newSearch }
  const found = next(history, query, (index ?? history.length - 1) + 1, -1)
  return { type: 'search', search: { query, index: found ?? index, isOver: found === undefined } }
}

/** Searches for the next message with the same words but another text. */
function step({ history }: Prompt, search: Search, by: -1 | 1): SearchAction {
  const { query, index = history.length } = search
  const found = next(history, query, index, by)
  return { type: 'search', search: { ...search, index: found ?? search.index, isOver: found === undefined } }
}

function next(history: readonly PromptText[], query: string, from: number, by: -1 | 1): number | undefined {
  const isExact = query !== query.toLowerCase()
  const current = history[from]?.text
  for (let at = from + by; at >= 0 && at < history.length; at += by) {
    const { text = '' } = history[at] ?? {}
    const searched = isExact ? text : text.toLowerCase()
    if (text !== current && searched.includes(query)) return at
  }
  return undefined
}
