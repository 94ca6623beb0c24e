import { isJsonObject } from '../json-value.ts'

/**
 * Merges two layers of settings, `over` the stronger: objects by key, lists under `permissions` as unions, those under `actors` as
 * intersections, all else replaced. Associative for layers that fit the schema.
 */
export function mergeSettings<T extends object>(under: T, over: T): T
export function mergeSettings(under: object, over: object): object {
  return byKey(under, over, (a, b, key) => mergeValues(a, b, lists.get(key) ?? replaced))
}

type Join = (under: readonly unknown[], over: readonly unknown[]) => readonly unknown[]

const replaced: Join = (_, over) => over

/** Ways to join lists, by the top-level key that they are under. */
const lists: ReadonlyMap<string, Join> = new Map([
  ['permissions', (under, over) => [...new Set([...under, ...over])]],
  // Every layer may only take capabilities away.
  ['actors', (under, over) => under.filter((one) => over.includes(one))],
])

function mergeValues(under: unknown, over: unknown, join: Join): unknown {
  if (isJsonObject(under) && isJsonObject(over)) return byKey(under, over, (a, b) => mergeValues(a, b, join))
  return Array.isArray(under) && Array.isArray(over) ? join(under, over) : over
}

function byKey(
  under: object,
  over: object,
  mergeEntry: (under: unknown, over: unknown, key: string) => unknown,
): object {
  const merged = new Map<string, unknown>(Object.entries(under))
  for (const [key, value] of Object.entries(over)) merged.set(key, mergeEntry(merged.get(key), value, key))
  return Object.fromEntries(merged)
}
