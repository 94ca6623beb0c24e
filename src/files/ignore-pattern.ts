/** One line of an ignore file, with git's semantics. */
export interface IgnorePattern {
  /** Matches a path relative to the file's folder. Callers check the folders above the path themselves. */
  readonly expression: RegExp
  readonly foldersOnly: boolean
  /** `!`: re-includes what matches. */
  readonly negated: boolean
}

/** Longer than any path. Much longer expressions do not compile. */
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
  const source = translate(path.replace(/^\//, ''))
  if (source === undefined || source === '') return undefined
  // A pattern with a slash is a path; one without matches a name at any depth.
  const start = path.includes('/') ? '^' : '(?:^|/)'
  return { expression: new RegExp(`${start}${source}$`, 'su'), foldersOnly, negated }
}

/** Strips trailing spaces, except one after a backslash. */
function withoutSpaces(line: string): string {
  const bare = line.replace(/ +$/, '')
  const isQuoted = bare !== line && /(^|[^\\])(\\\\)*\\$/.test(bare)
  return isQuoted ? `${bare} ` : bare
}

const part = new RegExp(
  [
    // Two stars have their special meaning only if they fill the space between slashes.
    '(?<folders>(?<=^|/)\\*{2,}/)',
    '(?<anything>(?<=^|/)\\*{2,}$)',
    '(?<name>\\*+)',
    '(?<character>\\?)',
    '\\[(?<not>[!^]?)(?<set>(?:\\]|\\\\.|\\[:\\w+:\\]|[^\\]\\\\])(?:\\\\.|\\[:\\w+:\\]|[^\\]\\\\])*)\\]',
    '\\\\(?<quoted>.)',
    '(?<open>[[\\\\])',
    '(?<plain>.)',
  ].join('|'),
  'gsu',
)

/** Translates a glob to the source of a regular expression. `undefined` for an open bracket or a trailing backslash. */
function translate(glob: string): string | undefined {
  const tokens = [...glob.matchAll(part)].map(({ groups = {} }) => {
    const { folders, anything, name, character, not, set, quoted, open, plain } = groups
    if (open !== undefined) return undefined
    if (folders !== undefined) return '**'
    if (anything !== undefined) return '.+'
    if (name !== undefined) return '*'
    if (character !== undefined) return '[^/]'
    if (set !== undefined) return `(?!/)${characterSet(set, not !== '')}`
    return literal(quoted ?? plain ?? '')
  })
  if (!tokens.every((token) => token !== undefined)) return undefined
  const paths = split(tokens, '**').map((path) =>
    joinAnyOf(
      '[^/]',
      split(path, '*').map((name) => name.join('')),
    ),
  )
  return joinAnyOf('[^/]+/', paths)
}

function split(tokens: readonly string[], wildcard: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const token of tokens) {
    if (token === wildcard) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/**
 * Joins the sources with any number of `one` in between. Before another wildcard the first match is as good as any later one, so it
 * tries no other: with many stars, backtracking would take forever.
 */
function joinAnyOf(one: string, sources: readonly string[]): string {
  return sources
    .map((source, i) => {
      if (i === 0) return source
      const isLast = i === sources.length - 1
      return isLast ? `(?:${one})*${source}` : `(?:(?!${source})${one})*${source}`
    })
    .join('')
}

const classes: ReadonlyMap<string, string> = new Map([
  ['alnum', 'a-zA-Z0-9'],
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['upper', 'A-Z'],
  ['xdigit', '0-9A-Fa-f'],
])

/**
 * Translates a bracket expression (classes, ranges, characters) to a regular expression for one character, with the flag `u`. Of a
 * backward range only the start remains.
 */
function characterSet(set: string, isNegated: boolean): string {
  const members = set.matchAll(/\[:(?<name>\w+):\]|\\?(?<first>.)(?:-\\?(?<last>.))?/gsu)
  const sources = [...members].map(({ groups = {} }) => {
    const { name, first = '', last = '' } = groups
    if (name !== undefined) return classes.get(name) ?? ''
    // Compares code points: comparing strings would compare surrogate halves.
    const isRange = (first.codePointAt(0) ?? 0) < (last.codePointAt(0) ?? 0)
    return isRange ? `${literal(first)}-${literal(last)}` : literal(first)
  })
  return `[${isNegated ? '^' : ''}${sources.join('')}]`
}

const literal = (character: string): string =>
  /[\w\s]|[^\0-\x7f]/.test(character) ? character : `\\x${hex(character)}`

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')
