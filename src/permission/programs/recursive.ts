import { isReader } from './read-only.ts'
import { programOf } from './table.ts'

const ofReaders = /^-[A-Za-z]*[rR]|^--rec/
const ofOthers = /^-[A-Za-z]*[rRa]|^--(rec|arc)/

/** Whether a command reads folders recursively. */
export function isRecursive(name: string, args: readonly string[]): boolean {
  const options = programOf(name)?.recursive ?? (isReader(name) ? ofReaders : ofOthers)
  return options === 'always' || args.some((arg) => options.test(arg))
}
