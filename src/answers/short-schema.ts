import { PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'

const kinds: Readonly<Record<string, string>> = {
  str: 'string',
  string: 'string',
  int: 'integer',
  integer: 'integer',
  float: 'number',
  number: 'number',
  bool: 'boolean',
  boolean: 'boolean',
}

/**
 * Reads a schema in short: `name, age int, bio: a short text`. Fields stand between commas or on lines of their own; text is the default kind,
 * and `[]` behind a kind makes a list. Throws `input`.
 */
export function shortSchema(text: string): JsonObject {
  const separator = text.includes('\n') ? '\n' : ','
  const fields = text
    .split(separator)
    .map((field) => field.trim())
    .filter((field) => field !== '')
  if (fields.length === 0) throw new PipeError('input', 'the schema names no field')
  const properties = Object.fromEntries(fields.map(readField))
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function readField(field: string): readonly [string, JsonObject] {
  const [, name = '', word = 'string', list, description = ''] =
    /^([^\s:[\]{}"]+)(?:\s+(\w+))?(\[\])?\s*(?::\s*(.*))?$/.exec(field) ?? []
  const kind = kinds[word.toLowerCase()]
  if (name === '' || kind === undefined)
    throw new PipeError(
      'input',
      `cannot read ${JSON.stringify(field)} in the schema: write a name and a kind (${Object.keys(kinds).join(', ')})`,
    )
  const about = description === '' ? {} : { description }
  return [
    name,
    list === undefined ? { type: kind, ...about } : { type: 'array', items: { type: kind }, ...about },
  ]
}
