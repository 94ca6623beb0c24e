import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/** Readers of what a server sends: they look at just what they touch, and what is missing or of another kind is nothing. */
export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function object(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

export function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
