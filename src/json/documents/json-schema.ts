import * as z from 'zod'

/** Builds the JSON Schema (2020-12) of a document. It allows unknown fields if the readers ignore them. */
export function jsonSchema(title: string, schema: z.ZodType): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { $schema, title, ...rest }
}
