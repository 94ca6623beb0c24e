import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/** Keywords of a schema that a server can enforce, and whether their values are schemas. */
const enforced: Readonly<Record<string, 'no' | 'one' | 'several' | 'named'>> = {
  $defs: 'named',
  $ref: 'no',
  $schema: 'no',
  additionalProperties: 'no',
  anyOf: 'several',
  const: 'no',
  definitions: 'named',
  description: 'no',
  enum: 'no',
  exclusiveMaximum: 'no',
  exclusiveMinimum: 'no',
  items: 'one',
  maxItems: 'no',
  maximum: 'no',
  minItems: 'no',
  minimum: 'no',
  multipleOf: 'no',
  pattern: 'no',
  properties: 'named',
  required: 'no',
  title: 'no',
  type: 'no',
}

/** Whether OpenAI takes a schema with `strict`: an object, all of whose fields are required, and no others allowed, at each level. */
export function fitsStrict(schema: JsonObject): boolean {
  return schema['type'] === 'object' && fits(schema)
}

function fits(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return false
  return isClosed(schema) && Object.entries(schema).every(([keyword, value]) => fitsBelow(keyword, value))
}

function fitsBelow(keyword: string, value: JsonValue): boolean {
  const below = enforced[keyword]
  if (below === 'one') return fits(value)
  if (below === 'several') return Array.isArray(value) && value.every(fits)
  if (below === 'named') return isJsonObject(value) && Object.values(value).every(fits)
  return below === 'no'
}

/** Whether an object has exactly its fields. */
function isClosed({ type, properties = {}, required = [], additionalProperties }: JsonObject): boolean {
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return true
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return (
    additionalProperties === false &&
    Array.isArray(required) &&
    names.every((name) => required.includes(name))
  )
}
