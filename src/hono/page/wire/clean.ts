import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import { printable } from '../../../terminal/printable.ts'
import { visible } from '../../../terminal/visible.ts'

/**
 * Cleans all strings that the server sends, once, so that no view shows foreign text as it is: removes what acts, and makes hidden or
 * reordering characters visible. Of a question nothing is removed, because the user must judge it whole.
 */
export function cleanFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      printable(name),
      cleanJson(value, questionFields.includes(name) ? visible : printable),
    ]),
  )
}

const questionFields: readonly string[] = ['interaction', 'question', 'questions']

function cleanJson(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one: JsonValue) => cleanJson(one, clean))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), cleanJson(one, clean)]))
}
