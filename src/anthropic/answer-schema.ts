import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/**
 * Returns a schema in the keywords that the server enforces; the others go into descriptions. `undefined` for one that would lose what it
 * allows: a map of any names, or values of any type.
 */
export function answerSchema(schema: JsonObject): JsonObject | undefined {
  if (hasMap(schema)) return undefined
  try {
    const known: unknown = transformJSONSchema({ ...schema })
    return isJsonObject(known) ? known : undefined
  } catch {
    // A part without a type.
    return undefined
  }
}

function hasMap(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasMap)
  if (!isJsonObject(value)) return false
  const { type, properties, additionalProperties } = value
  const isMap =
    type === 'object' &&
    additionalProperties !== false &&
    (properties === undefined || isJsonObject(additionalProperties))
  return isMap || Object.values(value).some(hasMap)
}
