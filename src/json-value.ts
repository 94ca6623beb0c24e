/** A JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Maximum nesting of a call's arguments, and of an answer in JSON. Real ones have a few levels. */
export const maxArgumentLevels = 200

/** Maximum nesting of other values. Leaves room for arguments inside a message or event, and is safe for recursion. */
const maxLevels = 500

/** Parses JSON. Returns `undefined` if the text is not JSON or nests deeper than `levels`. */
export function parseJson(text: string, levels: number = maxLevels): JsonValue | undefined {
  const value = readJson(text)
  // Each level takes two characters, so short texts need no check.
  const isSafe = value === undefined || text.length <= 2 * levels || !isDeeper(value, levels)
  return isSafe ? value : undefined
}

/** Whether a text is JSON at any depth. */
export function isJson(text: string): boolean {
  return readJson(text) !== undefined
}

/** Whether lists and objects nest deeper than this. Does not recurse any deeper itself. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1))
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a string field of an object; `undefined` if it is missing or not a string. */
export function textField(value: JsonValue | undefined, name: string): string | undefined {
  const field = isJsonObject(value) ? value[name] : undefined
  return typeof field === 'string' ? field : undefined
}
