/**
 * A pattern of paths as an expression for whole paths: `**` for any folders, `*` and `?` within one name, `[…]`, a backslash
 * before what is meant as it stands. `flags`: `i` compares as file systems do that know no case.
 */
export function globExpression(pattern: string, flags: '' | 'i'): RegExp {
  let source = ''
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern[i] ?? ''
    if (letter === '*' && pattern[i + 1] === '*') {
      const isFolder = pattern[i + 2] === '/'
      source += isFolder ? '(?:.*/)?' : '.*'
      i += isFolder ? 2 : 1
    } else if (letter === '*') source += '[^/]*'
    else if (letter === '?') source += '[^/]'
    else if (letter === '\\') source += escapeExpression(pattern[++i] ?? '\\')
    else if (letter === '[' && pattern.indexOf(']', i + 2) !== -1) {
      const end = pattern.indexOf(']', i + 2)
      const set = pattern
        .slice(i + 1, end)
        .replace(/[\\[\]^]/g, '\\$&')
        .replace(/^!|^\\\^/, '^')
      source += /^[^/]+$/.test(set) ? `(?!/)[${set}]` : escapeExpression(pattern.slice(i, end + 1))
      i = end
    } else source += escapeExpression(letter)
  }
  return compile(source, flags) ?? new RegExp(`^${escapeExpression(pattern)}$`, `s${flags}`)
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
