import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'

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

/** The objects of a list; what else stands in it is passed over. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return list(value).filter(isJsonObject)
}

export function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** JSON text as it is; with servers that send the object itself, the text of that. */
export function jsonText(value: JsonValue | undefined): string {
  return isJsonObject(value) ? JSON.stringify(value) : text(value)
}

/** Whether the text of a call's arguments says that there are none, which some servers take back by sending some. */
export function saysNone(args: string): boolean {
  return args === '{}' || args === 'null'
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
