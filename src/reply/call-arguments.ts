import { isJsonObject, type JsonObject, type JsonValue, maxArgumentLevels, parseJson } from '../json-value.ts'

/** How often a server may have encoded an object once too often. Real ones do it once or twice. */
const maxUnwraps = 3

/**
 * Reads the text of a call's arguments. No text or `null` means none. Unwraps an object that was encoded once too often, and reads the
 * same object written more than once as that object. Returns `undefined` if the text is not JSON or nests too deeply.
 */
export function readArguments(text: string): JsonValue | undefined {
  const args = parseJson(text.trim() || 'null', maxArgumentLevels)
  if (args === undefined) return repeatedObject(text)
  const inner = unwrapped(args)
  return isJsonObject(inner) ? inner : (args ?? {})
}

/** Returns the object or list that a text holds as JSON, even encoded several times. Returns any other value as it is. */
export function unwrapped(value: JsonValue): JsonValue {
  let inner: JsonValue | undefined = value
  for (let i = 0; i < maxUnwraps && typeof inner === 'string'; i++)
    inner = parseJson(inner, maxArgumentLevels)
  return typeof inner === 'object' && inner !== null ? inner : value
}

/** Returns the object that a text holds several times in a row, with nothing else. */
function repeatedObject(text: string): JsonObject | undefined {
  const first = leadingObject(text.trim())
  const object = parseJson(first, maxArgumentLevels)
  if (!isJsonObject(object)) return undefined
  const same = JSON.stringify(object)
  for (let rest = text.trim(); rest !== ''; ) {
    const next = leadingObject(rest)
    if (next === '' || JSON.stringify(parseJson(next, maxArgumentLevels)) !== same) return undefined
    rest = rest.slice(next.length).trimStart()
  }
  return object
}

/** A string, a brace, or anything else in JSON text. */
const token = /"(?:[^"\\]|\\.)*"|[{}]|[^"{}]+/gsy

/** Returns the beginning of a text up to the brace that closes its first one. Empty if there is none. */
function leadingObject(text: string): string {
  if (!text.startsWith('{')) return ''
  let depth = 0
  let length = 0
  for (const [part] of text.matchAll(token)) {
    length += part.length
    if (part === '{') depth++
    if (part === '}' && --depth === 0) return text.slice(0, length)
  }
  return ''
}
