import { isDeeper, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'

/** Exceeds the allowed depth of arguments inside their event, so that a later check reports arguments that are too deep. */
const maxLevels = 250

/** Parses a server's text; `undefined` if it is not JSON. Replaces values nested deeper than 250 levels with `null`. */
export function parseWire(text: string): JsonValue | undefined {
  const value = parseJson(text, Number.POSITIVE_INFINITY)
  if (value === undefined || text.length <= 2 * maxLevels || !isDeeper(value, maxLevels)) return value
  return pruned(value, maxLevels)
}

function pruned(value: JsonValue, levels: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (!isJsonObject(value)) return value.map((entry) => pruned(entry, levels - 1))
  return prunedObject(value, levels - 1)
}

function prunedObject(value: JsonObject, levels: number): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pruned(entry, levels)]))
}
