import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ReplyFormat } from '../provider.ts'
import { fitsStrict } from './strict-schema.ts'

/** The fields of a format with a schema, which both dialects share. */
export function schemaFields({
  name,
  schema,
  description,
  isStrict,
}: Extract<ReplyFormat, { type: 'schema' }>): JsonObject {
  return { name, schema, strict: isStrict ?? fitsStrict(schema), ...omitUndefined({ description }) }
}
