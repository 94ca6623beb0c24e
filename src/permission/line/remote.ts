import type { Result } from '../../machine/result.ts'
import type { Field } from '../bash/fields.ts'
import type { SimpleCommand } from '../command-line.ts'
import { programOf } from '../programs/program-table.ts'
import { textsOf } from '../programs/word-fields.ts'

/** Whether commands are still what their names say, because all of them only read, or address other machines and containers. */
export function keepsNames(plain: Result<readonly SimpleCommand[]>): boolean {
  const isCertain = ({ words, readOnly }: SimpleCommand) => {
    const { untilHost, isRemoteFile } = programOf(words[0] ?? '') ?? {}
    return readOnly || untilHost?.(words) !== undefined || isRemoteFile !== undefined
  }
  return plain.type === 'ok' && plain.value.every(isCertain)
}

/** The words of a command up to the host or image that runs the rest; `undefined` if that is not certain. */
export function wordsHere(fields: readonly Field[]): readonly Field[] | undefined {
  const found = programOf(fields[0]?.text ?? '')?.untilHost?.(textsOf(fields))
  const words = fields.slice(0, found?.length ?? 0)
  return found !== undefined && words.every(({ known, glob }) => known && !glob) ? words : undefined
}

/** Whether a word names a file on another machine. */
export function namesRemoteFile([name]: readonly Field[], { text, known }: Field): boolean {
  return known && programOf(name?.text ?? '')?.isRemoteFile?.(text) === true
}
