import { type GlobNodes, type GlobOptions, parse } from './glob-parse.ts'
import { GlobRun, minLength } from './glob-run.ts'

/** A parsed glob. Matching takes time proportional to the pattern and the text, or to the text's square with groups. */
export interface Glob {
  /** Each bracket is closed and a letter follows each backslash. Others count as text. */
  readonly isWellFormed: boolean
  /** Whether the whole text matches. */
  matches(text: string): boolean
  /** Whether a path below this folder may match. */
  reaches(folder: string): boolean
}

/**
 * Parses a glob: `*` and `?` match within a name, `**` across names, `**` and a slash any number of folders, `[a-z]`, `[!a]` and
 * `[[:digit:]]` one character; a backslash escapes. Braces are text (`expandBraces`).
 */
export function parseGlob(pattern: string, options: GlobOptions = {}): Glob {
  const fold = options.ignoresCase ? foldLetters : (text: string) => text
  const { nodes, isWellFormed } = parse(fold(pattern), options)
  const [start, middle, end] = withoutEnds(nodes)
  const least = start.length + end.length + minLength(middle)
  return {
    isWellFormed,
    matches: (text) => {
      const folded = fold(text)
      if (folded.length < least || !folded.startsWith(start) || !folded.endsWith(end)) return false
      return new GlobRun(folded.slice(start.length, folded.length - end.length)).matches(middle)
    },
    reaches: (folder) => new GlobRun(`${fold(folder)}/`).reaches(nodes),
  }
}

/** Splits off the text at both ends, which fails most matches early. */
function withoutEnds(nodes: GlobNodes): readonly [start: string, middle: GlobNodes, end: string] {
  const [first, last] = [nodes[0], nodes.at(-1)]
  const start = first?.type === 'text' ? first.text : ''
  const end = last?.type === 'text' && nodes.length > 1 ? last.text : ''
  return [start, nodes.slice(start === '' ? 0 : 1, end === '' ? nodes.length : -1), end]
}

/** Parses globs into one test for texts that match any of them. */
export function matchesAny(
  patterns: readonly string[],
  options: GlobOptions = {},
): (text: string) => boolean {
  const globs = patterns.map((pattern) => parseGlob(pattern, options))
  return (text) => globs.some((glob) => glob.matches(text))
}

/** Escapes a text so that a glob matches it literally. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&')
}

/** Escapes the brackets of a glob that are not escaped yet, so that they stand for themselves. */
export function escapeSets(glob: string): string {
  return glob.replace(/\\.|[[\]]/gs, (one) => (one.length > 1 ? one : `\\${one}`))
}

/** A glob for these texts with stars between them. */
export function joinByStars(texts: readonly string[]): string {
  return texts.map(escapeGlob).join('*')
}

/** Whether a text may match other texts than itself. */
export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text)
}

/** The folder above the first name of an absolute path that holds a wildcard. */
export function globFolder(path: string): string {
  return path.replace(/\/[^/]*[*?[].*$/s, '') || '/'
}

/** Folds case letter by letter, without changing the length of a text. No other letter becomes an ASCII one. */
function foldLetters(text: string): string {
  const upper = text.toUpperCase()
  return /^[\0-\x7f]*$/.test(text) ? upper : Array.from(text, foldLetter).join('')
}

function foldLetter(letter: string): string {
  const upper = letter.toUpperCase()
  const isOther = upper.length !== letter.length || (letter > '\x7f' && upper <= '\x7f')
  return isOther ? letter : upper
}
