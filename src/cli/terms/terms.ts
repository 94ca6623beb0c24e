/** A word of the domain, as `docs/domain.md` explains it. */
export interface Term {
  /** As people write it: `TaskView`. */
  readonly name: string
  /** The document that it comes from, or the heading of our own words. */
  readonly source: string
  /** One paragraph, in which backticks mark code. */
  readonly about: string
  readonly rows: readonly TermRow[]
}

/** The term itself, or a part of it, with its names here. Empty cells are empty texts. */
export interface TermRow {
  readonly term: string
  readonly code: string
  readonly disk: string
  readonly wire: string
  /** Backticks mark code. */
  readonly why: string
}

/** Reads the terms of the page. A heading of level 3 with its paragraph and table is a term, and so is each row of a table of two columns. */
export function readTerms(page: string): readonly Term[] {
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((chapter) => {
      const source = firstLine(chapter)
      const [, ...sections] = chapter.split(/^### /m)
      return sections.length === 0 ? ownWords(source, chapter) : sections.map((one) => readTerm(source, one))
    })
}

function readTerm(source: string, section: string): Term {
  const name = firstLine(section).replace(/ \(.*\)$/, '')
  const [, about = ''] = section.split('\n\n')
  const rows = cellsOf(section).map(([term = '', code = '', disk = '', wire = '', why = '']) => ({
    term: plain(term),
    code: plain(code),
    disk: plain(disk),
    wire: plain(wire === 'same' ? disk : wire),
    why,
  }))
  return { name, source, about: about.replaceAll('\n', ' '), rows }
}

function ownWords(source: string, chapter: string): readonly Term[] {
  return cellsOf(chapter).map(([name = '', about = '']) => ({ name, source, about, rows: [] }))
}

/** Returns the cells of the rows of a table, without its head. A dash stands for an empty cell. */
function cellsOf(section: string): readonly (readonly string[])[] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
      .map((cell) => (cell === '–' ? '' : cell)),
  )
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n')).trim()
}

/** Removes the marks of code. */
export function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}

/**
 * Finds terms by a word, without regard to case, blanks and underscores: those of that name, else those with a part of that name, else
 * those with that name in code, on disk or on the wire. Of the others only the parts that match are kept.
 */
export function findTerms(word: string, terms: readonly Term[]): readonly Term[] {
  const wanted = termKey(word)
  if (wanted === '') return []
  const named = terms.filter(({ name }) => termKey(name) === wanted)
  if (named.length > 0) return named
  const parts = withRows(terms, ({ term }) => termKey(term) === wanted)
  if (parts.length > 0) return parts
  return withRows(terms, ({ code, disk, wire }) =>
    [code, disk, wire].some((cell) => cell.split(/, |\./).some((name) => termKey(name) === wanted)),
  )
}

function withRows(terms: readonly Term[], matches: (row: TermRow) => boolean): readonly Term[] {
  return terms
    .map((term) => ({ ...term, rows: term.rows.filter(matches) }))
    .filter(({ rows }) => rows.length > 0)
}

/** Returns a name as it is compared: `Next()`, `next` and `stop_reason`, `StopReason` are equal. */
export function termKey(name: string): string {
  return name
    .replace(/\(.*$/, '')
    .replaceAll(/[\s_-]/g, '')
    .toLowerCase()
}
