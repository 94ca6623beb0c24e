import type { Field } from '../bash/fields.ts'
import { findTest } from './arguments.ts'
import { commandName } from './command-name.ts'

/** The folders that `find` starts in. Default: the folder it runs in. */
export function findStarts(args: readonly Field[]): readonly Field[] {
  const end = args.findIndex(({ text }) => findTest.test(text))
  const starts = (end === -1 ? args : args.slice(0, end)).filter(({ text }) => !text.startsWith('-'))
  return starts.length > 0 ? starts : [{ text: '.', known: true, glob: false }]
}

/** The files that `find` itself writes, and the folders below which it deletes. */
export function findWrites(args: readonly Field[]): readonly Field[] {
  const files = args.filter((_, i) => /^-f(printf|print0?|ls)$/.test(args[i - 1]?.text ?? ''))
  return args.some(({ text }) => text === '-delete') ? [...files, ...findStarts(args)] : files
}

/** Whether a `find` runs commands in each folder it visits (`-execdir`, `-okdir`). */
export function runsBelow(fields: readonly Field[]): boolean {
  return commandName(fields) === 'find' && fields.some(({ text }) => /^-(exec|ok)dir$/.test(text))
}
