import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'

/** Encodes a value for a request. Writes half a surrogate pair, which strict servers reject, as U+FFFD. */
export function sentJson(value: JsonValue | object): string {
  const json = JSON.stringify(value)
  // Only half a pair is encoded as `\ud…`. The second branch skips an escaped backslash before such letters.
  return json.includes('\\ud')
    ? json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (found) => (found.length === 6 ? '\ufffd' : found))
    : json
}

/** Returns the arguments of a call as servers accept them: those that are no object, as of a cut call, become an empty one. */
export function sentArguments(args: JsonValue): JsonObject {
  return isJsonObject(args) ? args : {}
}
