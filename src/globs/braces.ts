interface BraceOptions {
  /** The most alternatives. Gives up on more. */
  readonly most: number
  /** Also expands `{1..9}`, `{01..10..2}` and `{a..e}`. Default: they are text. */
  readonly ranges?: boolean
}

/** Expands `{a,b}`, also nested, into one text each, without blanks around the items. `\{` and `${` are text. */
export function expandBraces(
  text: string,
  { most, ranges = false }: BraceOptions,
): readonly string[] | undefined {
  const done: string[] = []
  const todo = [text]
  for (let one = todo.pop(); one !== undefined; one = todo.pop()) {
    const group = findGroup(one, ranges)
    if (group === undefined) done.push(one)
    else if (done.length + todo.length + group.size > most) return undefined
    else todo.push(...group.expand().toReversed())
  }
  return done
}

interface Group {
  readonly size: number
  /** The whole text with each item in place of the group. */
  expand(): readonly string[]
}

/** Finds the first group that is a list or a range. Of nested groups, returns the outer one. */
function findGroup(text: string, ranges: boolean): Group | undefined {
  const open: { readonly start: number; readonly commas: number[] }[] = []
  let first: Group | undefined
  let start = text.length
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\\') at++
    // A comma in brackets separates nothing.
    else if (letter === '[') at = Math.max(at, text.indexOf(']', at + 2))
    else if (letter === '{') open.push({ start: at, commas: [] })
    else if (letter === ',') open.at(-1)?.commas.push(at)
    else if (letter === '}') {
      const closed = open.pop()
      if (closed === undefined || closed.start > start || text[closed.start - 1] === '$') continue
      const group = groupOf(text, [closed.start, ...closed.commas, at], ranges)
      if (group === undefined) continue
      first = group
      start = closed.start
    }
  }
  return first
}

/** `ends`: where the braces and commas of the group are. */
function groupOf(text: string, ends: readonly number[], ranges: boolean): Group | undefined {
  const [head, tail] = [text.slice(0, ends[0]), text.slice((ends.at(-1) ?? 0) + 1)]
  const items = () => ends.slice(1).map((end, i) => text.slice((ends[i] ?? 0) + 1, end))
  const list = { size: ends.length - 1, items }
  const range = ranges && list.size === 1 ? readRange(items()[0] ?? '') : undefined
  if (range === undefined && list.size === 1) return undefined
  const found = range ?? list
  return { size: found.size, expand: () => found.items().map((item) => head + item.trim() + tail) }
}

interface Range {
  readonly size: number
  items(): readonly string[]
}

/** Reads `1..9`, `01..10..2` or `a..e`. */
export function readRange(text: string): Range | undefined {
  const [, first, last, by = '1'] = /^(-?\d+|\D)\.\.(-?\d+|\D)(?:\.\.(-?\d+))?$/su.exec(text) ?? []
  if (first === undefined || last === undefined || isNumber(first) !== isNumber(last)) return undefined
  const [from, to] = [rankOf(first), rankOf(last)]
  const step = Math.max(1, Math.abs(Number(by)))
  const size = Math.floor(Math.abs(to - from) / step) + 1
  const spell = isNumber(first) ? padded(first, last) : String.fromCodePoint
  const rankAt = (i: number) => from + i * (to < from ? -step : step)
  return { size, items: () => Array.from({ length: size }, (_, i) => spell(rankAt(i))) }
}

const isNumber = (end: string): boolean => /\d/.test(end)
const rankOf = (end: string): number => (isNumber(end) ? Number(end) : (end.codePointAt(0) ?? 0))

/** Writes numbers as wide as the ends if one of them begins with a zero. */
function padded(first: string, last: string): (rank: number) => string {
  const width = [first, last].some((end) => /^-?0\d/.test(end)) ? Math.max(first.length, last.length) : 0
  return (rank) => {
    const digits = String(Math.abs(rank))
    return rank < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0')
  }
}
