/** The indentation of one line in the old and in the new style. */
export type IndentPair = readonly [from: string, to: string]

/** The leading white space of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/**
 * Infers a rule that maps indentation of one style to another from lines that both have: equal, a fixed amount more or less, or
 * another unit (tabs for spaces, four for two). `undefined` if no single rule fits all.
 */
export function indentRule(pairs: readonly IndentPair[]): ((indent: string) => string) | undefined {
  const shifted = shiftRule(pairs, (indent) => indent)
  if (shifted !== undefined) return shifted.apply
  const rules = conversions.flatMap((convert) => shiftRule(pairs, convert) ?? [])
  return rules.sort((a, b) => a.size - b.size)[0]?.apply
}

/** Most likely units first: of several equal fits the first wins. */
const units = ['    ', '  ', '\t', '        ', '   ']
const conversions = units.flatMap((from) =>
  units.filter((to) => to !== from).map((to) => (indent: string) => indent.replaceAll(from, to)),
)

/** A rule that converts, then adds or removes a fixed prefix. `size` is the length of that prefix. */
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
