import { PipeError } from '../../error.ts'

/** What there are schemas of. */
const schemaNames = ['events', 'session', 'config', 'audit'] as const

export type SchemaName = (typeof schemaNames)[number]

/** Reads the words after `schema`; `undefined` where they are a prompt after all. Throws `usage` where there are none. */
export function readSchemaName(words: readonly string[]): SchemaName | undefined {
  if (words.length === 0) throw new PipeError('usage', `pipe schema needs one of ${schemaNames.join(', ')}`)
  return words.length === 1 ? schemaNames.find((name) => name === words[0]) : undefined
}
