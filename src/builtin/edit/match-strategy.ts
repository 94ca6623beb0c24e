import { type FoldedText, foldLineTails, foldMargins, foldTypography } from './folded-text.ts'
import { type IndentPair, indentOf, indentRule } from './indentation.ts'

/** The texts to search with. All line ends are LF. */
export interface MatchTexts {
  readonly text: string
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
  /** Whether to match only at the end of the text. */
  readonly atEnd: boolean
}

/** The range of the old text, and its replacement. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One way to search, with a note for the model on how it differs from a literal match. */
export interface MatchStrategy {
  readonly note?: string
  find(search: MatchTexts): Iterable<Match>
}

/** From literal to lenient: the first that finds something wins. */
export const matchStrategies: readonly MatchStrategy[] = [
  { find: findLiterally },
  { note: 'white space at line ends ignored', find: (search) => findLines(search, foldLineTails) },
  {
    note: 'indentation ignored, new_text indented like the file',
    find: (search) => findLines(search, foldMargins),
  },
  { note: 'quotes, dashes, dots, spaces and accents normalised', find: findTypography },
]

function* findLiterally(search: MatchTexts): Generator<Match> {
  const { text, oldText, newText } = search
  for (const start of occurrences(text, oldText, search)) {
    yield { start, end: start + oldText.length, text: newText }
  }
}

/** Finds whole lines in the folded text. */
function* findLines(search: MatchTexts, fold: (text: string) => FoldedText): Generator<Match> {
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

function* findTypography(search: MatchTexts): Generator<Match> {
  const { text, oldText, newText } = search
  const [file, wanted, put] = [foldTypography(text), foldTypography(oldText), foldTypography(newText)]
  const { before, after } = sharedEnds(wanted.text, put.text)
  const middle = newText.slice(put.origin(before), put.origin(put.text.length - after))
  for (const found of occurrences(file.text, wanted.text, search)) {
    // Keeps what both texts share as the file has it.
    const start = file.origin(found + before)
    yield { start, end: file.origin(found + wanted.text.length - after), text: middle }
  }
}

type Accepts = (text: string, start: number, end: number) => boolean

/** Finds a part in a text. Matches may overlap unless all are to be replaced. */
function* occurrences(
  text: string,
  part: string,
  { replaceAll, atEnd }: MatchTexts,
  accepts?: Accepts,
): Generator<number> {
  const from = atEnd ? Math.max(0, text.length - part.length) : 0
  for (let at = text.indexOf(part, from); at !== -1; ) {
    const fits = accepts?.(text, at, at + part.length) ?? true
    if (fits) yield at
    at = text.indexOf(part, at + (fits && replaceAll ? part.length : 1))
  }
}

/** Whether a part of a text starts and ends at line boundaries. */
function areLines(text: string, start: number, end: number): boolean {
  const begins = start === 0 || text[start - 1] === '\n'
  return begins && (end === text.length || text[end] === '\n' || text[end - 1] === '\n')
}

/**
 * Replaces lines of a file that match `oldText` except for white space. Lines shared by `oldText` and `newText` stay as in the file;
 * the others are indented like it. `undefined` if no single rule maps the indentation.
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

/** How many items (characters or lines) two sequences share at the start and, in the rest, at the end. */
export function sharedEnds(a: string | readonly string[], b: string | readonly string[]) {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before++
  let after = 0
  while (after < shorter - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after++
  return { before, after }
}
