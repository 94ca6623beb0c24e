import { type Bindings, keyOf } from '../keys/bindings.ts'
import { cut, type Line, line, type Span, span } from '../rows/line.ts'
import type { Screen } from '../state.ts'
import { foundIn, type Search } from './history-search.ts'
import { shownText } from './prompt.ts'

/** Characters shown before the match. */
const lead = 20

/** Draws the search in place of the prompt: its words, the message found, and its keys. */
export function drawSearch(
  { prompt, bindings, size: { columns } }: Pick<Screen, 'prompt' | 'bindings' | 'size'>,
  search: Search,
): Line[] {
  const { query, isOver } = search
  const found = foundIn(prompt, search)
  const row: Line = [
    span('(history) ', { color: isOver ? 'warning' : 'accent' }),
    span(query),
    span(' ', { inverse: true }),
    ...(found === undefined
      ? [span(nothingFound(search), { color: 'muted' })]
      : drawFound(found.text, query)),
  ]
  return [cut(row, columns - 1), cut(line(hint(bindings), { color: 'muted' }), columns - 1)]
}

function nothingFound({ query }: Search): string {
  return query === '' ? ' type words of an earlier message' : ' no earlier message has these words'
}

function hint(bindings: Bindings): string {
  const [older, newer] = [keyOf(bindings, 'history_search'), keyOf(bindings, 'search_newer')]
  return `  Enter takes it · ${older} older · ${newer} newer · Esc keeps your draft`
}

/** Draws a message in one row, around the words found. */
function drawFound(text: string, query: string): Span[] {
  const at = Math.max(0, text.toLowerCase().indexOf(query.toLowerCase()))
  const start = at > lead ? at - lead : 0
  const shown = (from: number, to: number) => inOneRow(text.slice(from, to))
  return [
    span(`: ${start > 0 ? '…' : ''}${shown(start, at)}`),
    span(shown(at, at + query.length), { bold: true, underline: true }),
    span(shown(at + query.length, at + 1_000)),
  ]
}

function inOneRow(text: string): string {
  return shownText(text).replace(/[\t\n]/g, ' ')
}
