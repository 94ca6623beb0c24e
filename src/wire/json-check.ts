import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

// The checks that scripts/generate-checks.js writes are made of these. Schemas are built of the same where zod has no such part.

/** Any JSON value, which is undefined only where a field is absent. */
export function isPresent(value: unknown): value is JsonValue {
  return value !== undefined
}

export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

/** Whether a list has at least this length. */
export function hasLength(value: unknown, least: number): boolean {
  return Array.isArray(value) && value.length >= least
}

/** Whether this is a text of at least this length. */
export function isText(value: unknown, least: number): boolean {
  return typeof value === 'string' && value.length >= least
}

export function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

/** Whether a text is a URL whose scheme, without its colon, matches. Refuses white space around it, which a schema would remove. */
export function isAddress(value: unknown, scheme: RegExp): boolean {
  if (typeof value !== 'string' || value.trim() !== value || !URL.canParse(value)) return false
  return scheme.test(new URL(value).protocol.slice(0, -1))
}

export function isAtLeast(value: unknown, least: number): boolean {
  return typeof value === 'number' && value >= least
}

export function isAbove(value: unknown, bound: number): boolean {
  return typeof value === 'number' && value > bound
}

export function isListOf(value: unknown, check: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => check(one))
}

/** Checks the names and the values of an object. Refuses `__proto__`, which a schema would remove. */
export function isRecordOf(
  value: unknown,
  checkName: (one: unknown) => boolean,
  check: (one: unknown) => boolean,
): value is JsonObject {
  if (!isJsonObject(value)) return false
  return Object.entries(value).every(([name, one]) => name !== '__proto__' && checkName(name) && check(one))
}

/** Whether an object has no fields but these. */
export function hasOnly(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}
