import { basename, join } from 'node:path'
import type { Field } from '../bash/fields.ts'
import type { Copying } from './program.ts'
import { fieldsAfter } from './word-fields.ts'

/** The paths that `cp` and the like write: the target and, if it is a folder, the sources in it. `mv` also removes the sources. */
export function copied(how: Copying, args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const into = how.remote ? [] : fieldsAfter(args, /^(-[A-Za-z]*?t|--t[a-z-]*)/)
  return copiesOf(how, operands, into)
}

/** The target and the sources in it, in case it is a folder. Default target: the last operand. */
export function copiesOf(
  how: Copying,
  operands: readonly Field[],
  named: readonly Field[] = [],
): readonly Field[] {
  const isLocal = ({ text }: Field) => !(how.remote && /^[^/]*:/.test(text))
  const folders = (named.length > 0 ? named : lastOf(operands)).filter(isLocal)
  const inside = folders.flatMap((folder) =>
    operands
      .filter((one) => one !== folder && !(how.contents && one.text.endsWith('/')))
      .map((one) => ({
        text: join(folder.text, basename(one.text)),
        known: folder.known && one.known,
        glob: folder.glob || one.glob,
      })),
  )
  return [...(how.moves ? operands : []), ...folders, ...inside]
}

/** The last operand. If it may expand to any number of words, an operand before it may be last. */
function lastOf(operands: readonly Field[]): readonly Field[] {
  const certain = operands.findLastIndex(({ known, glob }) => known && !glob)
  return operands.length === 1 ? behindFirst(operands) : operands.slice(Math.max(1, certain))
}

/** The operands after the first. A single glob may match several files, so it counts too. */
export function behindFirst(operands: readonly Field[]): readonly Field[] {
  return operands.length === 1 ? operands.filter(({ glob }) => glob) : operands.slice(1)
}

/** Operands, and option values within their option's word. */
export function valuesIn(args: readonly Field[]): readonly Field[] {
  return args
    .map((field) => ({ ...field, text: field.text.replace(/^-(-[^=]*=?|.?)/s, '') }))
    .filter(({ text, known }) => text !== '' || !known)
}

/** The words that are not options, including all after `--`. */
export function withoutOptions(args: readonly Field[]): readonly Field[] {
  const end = args.findIndex(({ text }) => text === '--')
  const options = end === -1 ? args : args.slice(0, end)
  return [...options.filter(({ text }) => !text.startsWith('-')), ...(end === -1 ? [] : args.slice(end + 1))]
}

/** The file name under which a download is saved. */
export function fileOfUrl(url: Field): readonly Field[] {
  const name = basename(url.text.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/s, ''))
  return name === '' ? [] : [{ ...url, text: name.replace(/\.git$/, '') || name }]
}
