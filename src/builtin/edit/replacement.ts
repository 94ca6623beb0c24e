import { omitUndefined } from '../../omit-undefined.ts'
import { limits } from '../tool-limits.ts'
import { type FoldedText, foldLineEnds } from './folded-text.ts'
import { lineEnder, type TextChange } from './line-ends.ts'
import {
  type Match,
  type MatchStrategy,
  type MatchTexts,
  matchStrategies,
  sharedEnds,
} from './match-strategy.ts'

export interface ReplacementRequest {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

export type TextReplacement =
  /** The changes are in order and do not overlap. */
  | { readonly type: 'found'; readonly changes: readonly TextChange[]; readonly note?: string }
  | { readonly type: 'missing' }
  /** `lines` are those of the first matches, from 1. */
  | {
      readonly type: 'ambiguous'
      readonly lines: readonly number[]
      readonly more: boolean
      readonly note?: string
    }
  /** More than `maxPlaces` matches. */
  | { readonly type: 'too_many' }
  /** The text would have more than `limits.fileBytes` characters. */
  | { readonly type: 'too_long' }

/** Matches that one edit may change, because all are kept in memory. */
export const maxPlaces = 100_000
const maxLines = 10

/**
 * Finds the old text and what to change there; `note` tells how it differs from a literal match. CRLF and LF match each other.
 * Inserted text gets the line ends of its place, and what both texts share at their ends stays byte for byte.
 */
export function findReplacement(text: string, request: ReplacementRequest): TextReplacement {
  const file = foldLineEnds(text)
  for (const search of searches(file.text, request)) {
    for (const strategy of matchStrategies) {
      const found = replacementOn(strategy, search, { text, file })
      if (found.type !== 'missing') return found
    }
  }
  return { type: 'missing' }
}

interface NotedSearch extends MatchTexts {
  readonly note?: string
  /** Removes whole lines at the end of the file, along with the newline before them. */
  readonly removesLines?: boolean
}

/** Searches as asked, then as if the file ended in the newline it lacks. It does not get one either. */
function* searches(text: string, request: ReplacementRequest): Generator<NotedSearch> {
  const [oldText, newText] = [foldLineEnds(request.oldText).text, foldLineEnds(request.newText).text]
  const search = { text, oldText, newText, replaceAll: request.replaceAll, atEnd: false }
  yield search
  if (!oldText.endsWith('\n') || oldText.trim() === '' || text.endsWith('\n')) return
  yield {
    ...search,
    oldText: oldText.slice(0, -1),
    newText: newText.replace(/\n$/, ''),
    atEnd: true,
    removesLines: newText === '',
    note: 'the last newline of both texts left out, as the file ends without one',
  }
}

/** A text, and its form with LF. */
interface Texts {
  readonly text: string
  readonly file: FoldedText
}

function replacementOn(strategy: MatchStrategy, search: NotedSearch, { text, file }: Texts): TextReplacement {
  const { replaceAll } = search
  const matches = upTo((replaceAll ? maxPlaces : maxLines) + 1, strategy.find(search))
  if (matches.length === 0) return { type: 'missing' }
  const notes = [strategy.note, search.note].filter((note) => note !== undefined)
  const note = omitUndefined({ note: notes.length === 0 ? undefined : notes.join('; ') })
  if (matches.length > 1 && !replaceAll) {
    const lines = lineNumbers(file.text, matches.slice(0, maxLines))
    return { type: 'ambiguous', lines, more: matches.length > maxLines, ...note }
  }
  if (matches.length > maxPlaces) return { type: 'too_many' }
  const changes = matches.map((match) => changeFor(search, match))
  if (text.length + growth(changes) > limits.fileBytes) return { type: 'too_long' }
  const withLineEnds = lineEnder(text, file)
  const made = changes.map((change) => ({
    start: file.origin(change.start),
    end: file.origin(change.end),
    text: withLineEnds(change),
  }))
  return { type: 'found', changes: made, ...note }
}

/** Trims what the old and the new text share at their ends. */
function changeFor({ text, removesLines = false }: NotedSearch, match: Match): TextChange {
  const isOwnLine = removesLines && text[match.start - 1] === '\n'
  const start = isOwnLine ? match.start - 1 : match.start
  const { before, after } = sharedEnds(text.slice(start, match.end), match.text)
  return {
    start: start + before,
    end: match.end - after,
    text: match.text.slice(before, match.text.length - after),
  }
}

/** How much longer the changes make a text. */
function growth(changes: readonly TextChange[]): number {
  return changes.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
}

function upTo(limit: number, matches: Iterable<Match>): Match[] {
  const taken: Match[] = []
  for (const match of matches) {
    taken.push(match)
    if (taken.length === limit) break
  }
  return taken
}

function lineNumbers(text: string, matches: readonly Match[]): number[] {
  let [line, from] = [1, 0]
  return matches.map(({ start }) => {
    line += count(text.slice(from, start), '\n')
    from = start
    return line
  })
}

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}
