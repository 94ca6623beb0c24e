/** Characters. Longer ones become expressions that cannot be compiled; no path is half as long. */
const longest = 10_000

/**
 * A pattern of paths as an expression for whole paths: `**` for any folders, `*` and `?` within one name, `[…]`, a backslash
 * before what is meant as it stands. `flags`: `i` compares as file systems do that know no case. One of more than 10,000 characters
 * may be any path.
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

/** Of a pattern without `**`. */
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

/** `[…]`, which is text where a slash is in it. */
function setSource(set: string): string {
  if (!/^[^/]+$/.test(set)) return escapeExpression(`[${set}]`)
  return `(?!/)[${set.replace(/[\\[\]^]/g, '\\$&').replace(/^!|^\\\^/, '^')}]`
}

/**
 * Pieces of a name with any number of `one` between each two. Where more follows, the first match of a piece is as good as any later
 * one: nothing else is tried, or a name of many stars would take for ever.
 */
export function anyBetween(pieces: readonly string[], one: string): string {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  const middle = rest.map((piece) => `(?:(?!${piece})${one})*${piece}`)
  return first + middle.join('') + (last === undefined ? '' : `${one}*${last}`)
}

/** A range that runs backwards is no expression. */
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

/** A name that a pattern takes as it stands. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&')
}

/** The folder above the first name of an absolute path that may stand for more than one. */
export function globFolder(path: string): string {
  return path.replace(/\/[^/]*[*?[].*$/s, '') || '/'
}
