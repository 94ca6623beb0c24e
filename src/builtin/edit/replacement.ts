import { present } from '../../present.ts'
import { foldLineEnds } from './folded-text.ts'
import { type Change, lineEnder } from './line-ends.ts'
import { type Match, rungs, sharedEnds } from './rung.ts'

export interface ReplacementRequest {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

export type Replacement =
  /** The changes are in order and do not overlap. */
  | { readonly type: 'found'; readonly changes: readonly Change[]; readonly note?: string }
  | { readonly type: 'missing' }
  /** The first matches stand on these lines, from 1. */
  | {
      readonly type: 'ambiguous'
      readonly lines: readonly number[]
      readonly more: boolean
      readonly note?: string
    }

const maxLines = 10

/**
 * Where the old text stands, and what is to change there; `note` says how far from literally it was found. CRLF and LF match each
 * other; what is put in gets the line ends of its place, and what both texts share at their ends stays byte for byte.
 */
export function findReplacement(text: string, request: ReplacementRequest): Replacement {
  const file = foldLineEnds(text)
  const [oldText, newText] = [foldLineEnds(request.oldText).text, foldLineEnds(request.newText).text]
  const search = { text: file.text, oldText, newText, replaceAll: request.replaceAll }
  for (const { find, note } of rungs) {
    const matches = upTo(request.replaceAll ? Number.POSITIVE_INFINITY : maxLines + 1, find(search))
    if (matches.length === 0) continue
    if (matches.length > 1 && !request.replaceAll) {
      const lines = lineNumbers(file.text, matches.slice(0, maxLines))
      return { type: 'ambiguous', lines, more: matches.length > maxLines, ...present({ note }) }
    }
    const withLineEnds = lineEnder(text, file)
    const changes = matches.map((match) => {
      const old = file.text.slice(match.start, match.end)
      const { before, after } = sharedEnds(old, match.text)
      const [start, end] = [match.start + before, match.end - after]
      const put = match.text.slice(before, match.text.length - after)
      return {
        start: file.origin(start),
        end: file.origin(end),
        text: withLineEnds({ start, end, text: put }),
      }
    })
    return { type: 'found', changes, ...present({ note }) }
  }
  return { type: 'missing' }
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
