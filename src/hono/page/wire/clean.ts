import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printable } from '../../../terminal/printable.ts'
import { visible } from '../../../terminal/visible.ts'
import { object, objects, text } from '../../../wire/json-fields.ts'

/**
 * Cleans all strings that the server sends, once, so that no view shows foreign text as it is: removes what acts, and makes hidden or
 * reordering characters visible. Of a question nothing is removed, because the user must judge it whole.
 */
export function cleanFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      printable(name),
      questionFields.includes(name) ? cleanQuestions(value) : cleanJson(value, printable),
    ]),
  )
}

const questionFields: readonly string[] = ['interaction', 'question', 'questions']

/** Cleans a question or several. Moves the places of dangers along with the text of the command. */
function cleanQuestions(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(cleanQuestions)
  const cleaned = cleanJson(value, visible)
  const { display, parts } = object(value) ?? {}
  const command = text(object(object(display)?.['content'])?.['command'])
  const place = (offset: JsonValue | undefined) =>
    typeof offset === 'number' ? visible(command.slice(0, offset)).length : undefined
  const dangers = objects(object(display)?.['dangers']).map(({ text: words, start, end }) => ({
    text: visible(text(words)),
    ...omitUndefined({ start: place(start), end: place(end) }),
  }))
  return {
    ...object(cleaned),
    display: { ...object(object(cleaned)?.['display']), dangers },
    ...(parts === undefined ? {} : { parts: cleanQuestions(parts) }),
  }
}

function cleanJson(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one: JsonValue) => cleanJson(one, clean))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), cleanJson(one, clean)]))
}
