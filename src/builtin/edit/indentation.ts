/** The indentation of one line in the one style and in the other. */
export type IndentPair = readonly [from: string, to: string]

/** The white space a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/**
 * How indentation of one style becomes that of another, told by lines that both have: the same all along, more or less of it on
 * every line, or another unit of it (tabs for spaces, four for two). `undefined` where no one rule fits them all.
 */
export function indentRule(pairs: readonly IndentPair[]): ((indent: string) => string) | undefined {
  const shifted = shiftRule(pairs, (indent) => indent)
  if (shifted !== undefined) return shifted.apply
  const rules = conversions.flatMap((convert) => shiftRule(pairs, convert) ?? [])
  return rules.sort((a, b) => a.size - b.size)[0]?.apply
}

/** The likely ones first: of several that fit alike the first is taken. */
const units = ['    ', '  ', '\t', '        ', '   ']
const conversions = units.flatMap((from) =>
  units.filter((to) => to !== from).map((to) => (indent: string) => indent.replaceAll(from, to)),
)

/** A rule that converts, then puts the same before each indentation, or takes the same away; `size` is how much that is. */
function shiftRule(pairs: readonly IndentPair[], convert: (indent: string) => string) {
  const converted = pairs.map(([from, to]): IndentPair => [convert(from), to])
  const [from, to] = converted[0] ?? ['', '']
  const size = Math.abs(to.length - from.length)
  const [added, removed] = to.length > from.length ? [to.slice(0, size), ''] : ['', from.slice(0, size)]
  if (!converted.every((pair) => added + pair[0] === removed + pair[1])) return undefined
  const apply = (indent: string) => {
    const own = convert(indent)
    return own.startsWith(removed) ? added + own.slice(removed.length) : ''
  }
  return { size, apply }
}
