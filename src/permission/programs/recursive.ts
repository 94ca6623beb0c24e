import type { Field } from '../bash/fields.ts'
import { programIn, programOf } from './program-table.ts'
import { isReader } from './read-only.ts'

const ofReaders = /^-[A-Za-z]*[rR]|^--rec/
const ofOthers = /^-[A-Za-z]*[rRa]|^--(rec|arc)/

/** Whether a command reads folders recursively. */
export function isRecursive(name: string, args: readonly string[]): boolean {
  const options = programOf(name)?.recursive ?? (isReader(name) ? ofReaders : ofOthers)
  return options === 'always' || args.some((arg) => options.test(arg))
}

/**
 * Tells in which folders a command follows the links it finds: those it is given (`given`), or also the one it runs in (`here`).
 * `undefined` if it only follows links that it is given by name.
 */
export function followsLinks(name: string, args: readonly string[]): 'given' | 'here' | undefined {
  const options = programOf(name)?.followsLinks
  if (options === 'always') return args.includes('--no-dereference') ? undefined : 'given'
  return options !== undefined && args.some((arg) => options.test(arg)) ? 'here' : undefined
}

/** The folders in and below which a command runs others. */
export function startsBelow(fields: readonly Field[]): readonly Field[] {
  return programIn(fields)?.runsBelow?.(fields.slice(1)) ?? []
}
