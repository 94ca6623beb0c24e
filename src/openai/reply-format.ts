import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ReplyFormat } from '../provider.ts'

/** The fields of a format with a schema, which both dialects share. */
export function schemaFields({
  name,
  schema,
  description,
  isStrict,
}: Extract<ReplyFormat, { type: 'schema' }>): JsonObject {
  return { name, schema, ...omitUndefined({ description, strict: isStrict }) }
}
