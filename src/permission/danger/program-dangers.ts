import type { Field } from '../bash/fields.ts'
import { programIn } from '../programs/program-table.ts'
import { textsOf } from '../programs/word-fields.ts'

/** The danger of a command, in words for people; `undefined` if it is not known to have one. */
export function programDanger(fields: readonly Field[]): string | undefined {
  const args = fields.slice(1)
  const program = programIn(fields)
  return program?.ruins?.(textsOf(args))?.replace(/^it /, '') ?? program?.danger?.(args)
}
