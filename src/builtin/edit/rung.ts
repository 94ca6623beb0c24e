import { type FoldedText, foldLineTails, foldMargins, foldTypography } from './folded-text.ts'
import { type IndentPair, indentOf, indentRule } from './indentation.ts'

/** Line ends are LF everywhere. */
export interface Search {
  readonly text: string
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
  /** Only where the text ends. */
  readonly atEnd: boolean
}

/** Where the old text was found, and what is to stand there. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One way to look for a text, and how far from literal it is: what the model is told of it. */
export interface Rung {
  readonly note?: string
  find(search: Search): Iterable<Match>
}

/** From the literal to the lenient: the first that finds something counts. */
export const rungs: readonly Rung[] = [
  { find: findLiterally },
  { note: 'white space at line ends ignored', find: (search) => findLines(search, foldLineTails) },
  {
    note: 'indentation ignored, new_text indented like the file',
    find: (search) => findLines(search, foldMargins),
  },
  { note: 'quotes, dashes, dots, spaces and accents normalised', find: findTypography },
]

function* findLiterally(search: Search): Generator<Match> {
  const { text, oldText, newText } = search
  for (const start of occurrences(text, oldText, search)) {
    yield { start, end: start + oldText.length, text: newText }
  }
}

/** Whole lines, as they are after folding. */
function* findLines(search: Search, fold: (text: string) => FoldedText): Generator<Match> {
  const { text, oldText, newText } = search
  const [file, wanted] = [fold(text), fold(oldText).text]
  if (wanted.trim() === '') return
  for (const found of occurrences(file.text, wanted, search, areLines)) {
    const [first, last] = [file.origin(found), file.origin(found + wanted.length - 1)]
    const start = first === 0 ? 0 : text.lastIndexOf('\n', first - 1) + 1
    const end = wanted.endsWith('\n') ? last + 1 : file.origin(found + wanted.length)
    const replaced = relined(text.slice(start, end), oldText, newText)
    if (replaced !== undefined) yield { start, end, text: replaced }
  }
}

function* findTypography(search: Search): Generator<Match> {
  const { text, oldText, newText } = search
  const [file, wanted, put] = [foldTypography(text), foldTypography(oldText), foldTypography(newText)]
  const { before, after } = sharedEnds(wanted.text, put.text)
  const middle = newText.slice(put.origin(before), put.origin(put.text.length - after))
  for (const found of occurrences(file.text, wanted.text, search)) {
    // What both texts share stays as the file has it.
    const start = file.origin(found + before)
    yield { start, end: file.origin(found + wanted.text.length - after), text: middle }
  }
}

type Accepts = (text: string, start: number, end: number) => boolean

/** Where a part stands in a text. Where all are replaced they may not overlap; otherwise a second one may. */
function* occurrences(
  text: string,
  part: string,
  { replaceAll, atEnd }: Search,
  accepts?: Accepts,
): Generator<number> {
  const from = atEnd ? Math.max(0, text.length - part.length) : 0
  for (let at = text.indexOf(part, from); at !== -1; ) {
    const fits = accepts?.(text, at, at + part.length) ?? true
    if (fits) yield at
    at = text.indexOf(part, at + (fits && replaceAll ? part.length : 1))
  }
}

/** Whether a part of a text begins and ends where lines do. */
function areLines(text: string, start: number, end: number): boolean {
  const begins = start === 0 || text[start - 1] === '\n'
  return begins && (end === text.length || text[end] === '\n' || text[end - 1] === '\n')
}

/**
 * The lines of a file that match `oldText` but for white space, as `newText` wants them: what the two share stays as it is in the
 * file, the rest is indented like it. `undefined` where no one rule tells the file's indentation from that of `oldText`.
 */
function relined(block: string, oldText: string, newText: string): string | undefined {
  const [file, old, wanted] = [block.split('\n'), oldText.split('\n'), newText.split('\n')]
  const rule = indentRule(
    old.flatMap((line, i): IndentPair[] =>
      line.trim() === '' ? [] : [[indentOf(line), indentOf(file[i] ?? '')]],
    ),
  )
  if (rule === undefined) return undefined
  const { before, after } = sharedEnds(old, wanted)
  const between = wanted.slice(before, wanted.length - after).map((line) => {
    const indent = indentOf(line)
    return line.trim() === '' ? '' : rule(indent) + line.slice(indent.length)
  })
  return [...file.slice(0, before), ...between, ...file.slice(file.length - after)].join('\n')
}

/** How many items (characters, lines) two sequences share at their beginning and, of the rest, at their end. */
export function sharedEnds(a: string | readonly string[], b: string | readonly string[]) {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before++
  let after = 0
  while (after < shorter - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after++
  return { before, after }
}
