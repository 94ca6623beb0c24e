/** Characters. Longer patterns do not compile; no path is half as long. */
const longest = 10_000

/**
 * Compiles a path pattern to an expression for whole paths: `**` crosses folders, `*` and `?` do not, `[…]` is a set, a backslash
 * escapes. `flags`: `i` ignores case. A pattern of more than 10,000 characters matches every path.
 */
export function globExpression(text: string, flags: '' | 'i'): RegExp {
  const pattern = text.replace(/\*{3,}/g, '**')
  if (pattern.length > longest) return /^/
  const parts = pattern
    .split(/(?<![^/])\*\*\//)
    .map((part) => anyBetween(part.split(/(?<!\\)\*\*/).map(namesSource), '[^]'))
  const source = anyBetween(parts, '(?:[^/]*/)')
  return compile(source, flags) ?? new RegExp(`^${escapeExpression(pattern)}$`, `s${flags}`)
}

/** Source for a pattern without `**`. */
function namesSource(pattern: string): string {
  const names: string[][] = [['']]
  const add = (more: string) => names.at(-1)?.push(`${names.at(-1)?.pop()}${more}`)
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern[i] ?? ''
    const close = letter === '[' ? pattern.indexOf(']', i + 2) : -1
    if (letter === '*') names.at(-1)?.push('')
    else if (letter === '/') names.push([''])
    else if (letter === '?') add('[^/]')
    else if (letter === '\\') add(escapeExpression(pattern[++i] ?? '\\'))
    else if (close !== -1) {
      add(setSource(pattern.slice(i + 1, close)))
      i = close
    } else add(escapeExpression(letter))
  }
  return names.map((pieces) => anyBetween(pieces, '[^/]')).join('/')
}

/** Source for `[…]`. With a slash inside, the brackets are plain text. */
function setSource(set: string): string {
  if (!/^[^/]+$/.test(set)) return escapeExpression(`[${set}]`)
  return `(?!/)[${set.replace(/[\\[\]^]/g, '\\$&').replace(/^!|^\\\^/, '^')}]`
}

/**
 * Joins pieces with any number of `one` between them. Each middle piece takes its first match and never backtracks, so a pattern
 * with many stars stays fast.
 */
export function anyBetween(pieces: readonly string[], one: string): string {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  const middle = rest.map((piece) => `(?:(?!${piece})${one})*${piece}`)
  return first + middle.join('') + (last === undefined ? '' : `${one}*${last}`)
}

/** Returns `undefined` for an invalid expression, such as a reversed range. */
function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, `s${flags}`)
  } catch {
    return undefined
  }
}

export function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Escapes a name so that a pattern matches it literally. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&')
}

/** The folder above the first segment of an absolute path that holds a wildcard. */
export function globFolder(path: string): string {
  return path.replace(/\/[^/]*[*?[].*$/s, '') || '/'
}
