import fc, { type Arbitrary } from 'fast-check'
import { isJsonObject, type JsonValue } from '../../src/json-value.ts'

/** A change of one place of a JSON value. */
export type Change = readonly [at: number, how: 'drop' | 'replace' | 'add', field: string, value: string]

/** Up to two changes with these fields and values, the values as JSON. */
export function changesWith(
  fields: Arbitrary<string>,
  values: Arbitrary<string>,
): Arbitrary<readonly Change[]> {
  return fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'replace', 'add'), fields, values), {
    maxLength: 2,
  })
}

/** Changes one place of a JSON value, counted through all its objects and lists. */
export function change(value: JsonValue, [at, how, field, text]: Change): JsonValue {
  const places = count(value)
  let left = at % places
  const go = (here: JsonValue): JsonValue | undefined => {
    if (left-- === 0) {
      if (how === 'drop') return undefined
      if (how === 'add' && isJsonObject(here)) return { ...here, [field]: JSON.parse(text) }
      return JSON.parse(text)
    }
    if (Array.isArray(here)) return here.flatMap((entry) => go(entry) ?? [])
    if (!isJsonObject(here)) return here
    const fields = Object.entries(here).flatMap(([key, entry]): [string, JsonValue][] => {
      const changed = go(entry)
      return changed === undefined ? [] : [[key, changed]]
    })
    return Object.fromEntries(fields)
  }
  return go(value) ?? null
}

function count(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce((sum: number, entry: JsonValue) => sum + count(entry), 0)
}

/** As read from disk. */
export const onDisk = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value))
