import { isJsonObject, type JsonObject, type JsonValue, maxArgumentLevels, parseJson } from '../json-value.ts'

/** How often a server may have encoded an object once too often. Real ones do it once or twice. */
const maxUnwraps = 3

/**
 * Reads the text of a call's arguments. No text or `null` means none. Unwraps an object that was encoded once too often, and reads the
 * same object written more than once as that object. Takes control characters in its strings as they are, and leaves out brackets and
 * tags of the model's template after it. Returns `undefined` for any other text that is not JSON, or that nests too deeply.
 */
export function readArguments(text: string): JsonValue | undefined {
  const args = parseJson(text.trim() || 'null', maxArgumentLevels)
  if (args === undefined) return mendedObject(text.trim())
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

/** Matches leftovers after the arguments: brackets too many, and tags such as `</tool_call>` or `<|im_end|>`. */
const leftover = /^(?:[\]}\s]|<[^<>]*>)*$/

/** Returns the object that a text holds once or several times in a row, with nothing else that means anything. */
function mendedObject(text: string): JsonObject | undefined {
  const first = leadingObject(text)
  const object = parseJson(first.json, maxArgumentLevels)
  if (!isJsonObject(object)) return undefined
  const same = JSON.stringify(object)
  for (let rest = text.slice(first.length).trimStart(); !leftover.test(rest); ) {
    const next = leadingObject(rest)
    if (JSON.stringify(parseJson(next.json, maxArgumentLevels)) !== same) return undefined
    rest = rest.slice(next.length).trimStart()
  }
  return object
}

/** A string, a brace, or anything else in JSON text. */
const token = /"(?:[^"\\]|\\.)*"|[{}]|[^"{}]+/gsy
/** An escape, or a control character that should be one. */
const control = /\\.|\p{Cc}/gsu

/**
 * Returns the length of the beginning of a text up to the brace that closes its first one, and its JSON with control characters in
 * strings escaped. The JSON is empty if there is none.
 */
function leadingObject(text: string): { readonly length: number; readonly json: string } {
  const parts: string[] = []
  let depth = 0
  let length = 0
  for (const [part] of text.startsWith('{') ? text.matchAll(token) : []) {
    length += part.length
    parts.push(part.startsWith('"') ? part.replace(control, escaped) : part)
    if (part === '{') depth++
    if (part === '}' && --depth === 0) return { length, json: parts.join('') }
  }
  return { length: 0, json: '' }
}

function escaped(found: string): string {
  return found.startsWith('\\') ? found : JSON.stringify(found).slice(1, -1)
}
