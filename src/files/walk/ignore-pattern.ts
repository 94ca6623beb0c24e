import { parseGlob } from '../../globs/compile-glob.ts'

/** One line of an ignore file, with git's semantics. */
export interface IgnorePattern {
  /** Matches a path relative to the file's folder. Callers check the folders above the path themselves. */
  matches(path: string): boolean
  readonly foldersOnly: boolean
  /** `!`: re-includes what matches. */
  readonly negated: boolean
}

/** Longer than any path. */
const longestLine = 4096

/** The patterns of an ignore file, in order. Skips comments, lines that git finds invalid, and overlong ones. */
export function readIgnorePatterns(text: string): readonly IgnorePattern[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return lines.map(readLine).filter((pattern) => pattern !== undefined)
}

function readLine(line: string): IgnorePattern | undefined {
  if (line.startsWith('#') || line.length > longestLine) return undefined
  const negated = line.startsWith('!')
  const glob = withoutSpaces(negated ? line.slice(1) : line)
  const foldersOnly = glob.endsWith('/')
  const path = foldersOnly ? glob.slice(0, -1) : glob
  const pattern = path.replace(/^\//, '')
  // A pattern with a slash is a path; one without matches a name at any depth.
  const { matches, isWellFormed } = parseGlob(path.includes('/') ? pattern : `**/${pattern}`, {
    wholeNames: true,
  })
  return isWellFormed && pattern !== '' ? { matches, foldersOnly, negated } : undefined
}

/** Strips trailing spaces, except one after a backslash. */
function withoutSpaces(line: string): string {
  const bare = line.replace(/ +$/, '')
  const isQuoted = bare !== line && /(^|[^\\])(\\\\)*\\$/.test(bare)
  return isQuoted ? `${bare} ` : bare
}
