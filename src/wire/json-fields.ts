import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/** Returns a string field; empty if it is missing or of another type. */
export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function object(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

/** Returns the objects of a list and skips other entries. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return list(value).filter(isJsonObject)
}

export function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** Returns JSON text unchanged. Serialises an object, which some servers send instead. */
export function jsonText(value: JsonValue | undefined): string {
  return isJsonObject(value) ? JSON.stringify(value) : text(value)
}

/** Whether the text of a call's arguments is empty (`{}`, `null`). Some servers still send arguments after it. */
export function isNoArguments(args: string): boolean {
  return args === '{}' || args === 'null'
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
