import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { list, object, objects, text } from '../../wire/json-fields.ts'

/** Keywords that servers refuse at the top of a tool's schema, with the whole request. They accept them below the top. */
const refused: readonly string[] = ['oneOf', 'anyOf', 'allOf', 'not', 'enum']

/**
 * Returns a tool's schema with a plain object at its top. The fields of its variants become fields of that object, so that the
 * model still hears of them.
 */
export function toolSchema(schema: JsonObject): JsonObject & { readonly type: 'object' } {
  const partsIn = (keyword: string) => objects(schema[keyword]).map((part) => definitionOf(part, schema))
  const parts = partsIn('allOf')
  const variants = [...parts, ...partsIn('anyOf'), ...partsIn('oneOf')]
  const required = [...new Set([schema, ...parts].flatMap((part) => list(part['required'])))]
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !refused.includes(keyword))),
    type: 'object',
    properties: { ...fieldsOf(variants), ...object(schema['properties']) },
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Returns the definition that a part refers to, or the part itself. */
function definitionOf(part: JsonObject, schema: JsonObject): JsonObject {
  const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(text(part['$ref'])) ?? []
  return object(object(schema[place])?.[name]) ?? part
}

/** Joins the fields of variants. One that differs among them may be any of its kinds. */
function fieldsOf(variants: readonly JsonObject[]): JsonObject {
  const kinds = new Map<string, Map<string, JsonValue>>()
  for (const { properties = null } of variants) {
    if (!isJsonObject(properties)) continue
    for (const [name, kind] of Object.entries(properties)) {
      const known = kinds.get(name) ?? new Map<string, JsonValue>()
      kinds.set(name, known.set(JSON.stringify(kind), kind))
    }
  }
  return Object.fromEntries(
    [...kinds].map(([name, known]) => {
      const [first = {}, ...others] = known.values()
      return [name, others.length === 0 ? first : { anyOf: [...known.values()] }]
    }),
  )
}
