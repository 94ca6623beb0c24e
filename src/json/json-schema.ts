import * as z from 'zod'

/** The JSON Schema (2020-12) of a document. Fields that it does not name may be there where its readers pass them over. */
export function jsonSchema(title: string, schema: z.ZodType): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { $schema, title, ...rest }
}
