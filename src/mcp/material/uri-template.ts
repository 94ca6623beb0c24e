/** The place of a template that a URI, as far as it is typed, has come to. */
export interface OpenPlace {
  readonly name: string
  /** The typed beginning of its value. */
  readonly value: string
  /** The URI before it. */
  readonly before: string
  /** The values of the places before it. */
  readonly filled: Readonly<Record<string, string>>
}

/** Returns the text of a template before its first place. */
export function literalStart(template: string): string {
  return template.split('{', 1)[0] ?? ''
}

/** Finds the place that is being filled; `undefined` if the URI is of another form, or past all places. Knows plain places: `{name}`. */
export function openPlace(template: string, typed: string): OpenPlace | undefined {
  const parts = template.split(/\{\+?([\w.]+)\}/)
  if (parts.length > 2 * mostPlaces || template.length > longest) return undefined
  const filled: Record<string, string> = {}
  let at = 0
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [literal = '', name = '', next = ''] = [parts[i], parts[i + 1], parts[i + 2]]
    if (!typed.startsWith(literal, at)) return undefined
    at += literal.length
    const end = next === '' ? -1 : typed.indexOf(next, at)
    if (end < 0) return { name, value: typed.slice(at), before: typed.slice(0, at), filled }
    filled[name] = typed.slice(at, end)
    at = end
  }
  return undefined
}

const mostPlaces = 10
const longest = 2_000
