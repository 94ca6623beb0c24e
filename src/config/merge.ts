import { isJsonObject } from '../json-value.ts'

/**
 * Merges two layers of settings, `over` the stronger: objects by key, lists under `permissions` as unions, all else replaced.
 * Associative for layers that fit the schema.
 */
export function merge<T extends object>(under: T, over: T): T
export function merge(under: object, over: object): object {
  return byKey(under, over, (a, b, key) => mergeValues(a, b, key === 'permissions'))
}

function mergeValues(under: unknown, over: unknown, asUnion: boolean): unknown {
  if (isJsonObject(under) && isJsonObject(over))
    return byKey(under, over, (a, b) => mergeValues(a, b, asUnion))
  if (asUnion && Array.isArray(under) && Array.isArray(over)) return [...new Set([...under, ...over])]
  return over
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
