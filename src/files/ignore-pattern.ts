/** One line of an ignore file, as git reads it. */
export interface IgnorePattern {
  /** Of a path relative to the file's folder. That something is inside of a folder that matches is for others to see. */
  readonly expression: RegExp
  readonly foldersOnly: boolean
  /** `!`: what matches is taken back in. */
  readonly negated: boolean
}

/** No path is longer, and an expression that is many times longer cannot be compiled. */
const longestLine = 4096

/** The patterns of an ignore file, in their order. Comments, lines that git finds invalid, and overlong ones are left out. */
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
  // With a slash in it, it is a path; without one, a name at any depth.
  const start = path.includes('/') ? '^' : '(?:^|/)'
  return { expression: new RegExp(`${start}${source}$`, 'su'), foldersOnly, negated }
}

/** A space at the end counts only behind a backslash. */
function withoutSpaces(line: string): string {
  const bare = line.replace(/ +$/, '')
  const isQuoted = bare !== line && /(^|[^\\])(\\\\)*\\$/.test(bare)
  return isQuoted ? `${bare} ` : bare
}

const part = new RegExp(
  [
    // Two stars are more than one only where they fill what is between slashes.
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

/** The glob as the source of a regular expression; `undefined` where a bracket is left open, or nothing is quoted. */
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
 * The sources, with any number of `one` between each two. Where another wildcard follows, the first match of what is between is as
 * good as any later one: nothing else is tried, or a pattern of many stars would take for ever.
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
 * What stands between the brackets of a glob (classes, ranges, characters) as the source of a regular expression with the flag `u`,
 * for one character. Of a range that goes backwards its beginning is left.
 */
function characterSet(set: string, isNegated: boolean): string {
  const members = set.matchAll(/\[:(?<name>\w+):\]|\\?(?<first>.)(?:-\\?(?<last>.))?/gsu)
  const sources = [...members].map(({ groups = {} }) => {
    const { name, first = '', last = '' } = groups
    if (name !== undefined) return classes.get(name) ?? ''
    // Characters beyond 16 bits compare as their halves.
    const isRange = (first.codePointAt(0) ?? 0) < (last.codePointAt(0) ?? 0)
    return isRange ? `${literal(first)}-${literal(last)}` : literal(first)
  })
  return `[${isNegated ? '^' : ''}${sources.join('')}]`
}

const literal = (character: string): string =>
  /[\w\s]|[^\0-\x7f]/.test(character) ? character : `\\x${hex(character)}`

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')
