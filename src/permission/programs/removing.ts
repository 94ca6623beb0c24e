import type { Field } from '../bash/fields.ts'
import { hasWord, withoutOptions } from './copying.ts'
import { findStarts } from './find.ts'

type Removing = (args: readonly Field[]) => readonly Field[]

/** Operands of `rm`: with `-r`, or as a glob. An unknown word may be `-r`. */
export const removedByRm: Removing = (args) => {
  const operands = withoutOptions(args)
  if (isRecursive(args)) return operands
  const maybe = args.some(({ known }) => !known)
  return operands.filter(({ glob, known }) => glob || (maybe && known))
}

/** Sources of `mv`. */
export const movedAway: Removing = (args) =>
  withoutOptions(args)
    .slice(0, hasWord(args, /^-[A-Za-z]*t|^--t/) ? undefined : -1)
    .filter(({ known, glob }) => known && !glob)

/** The target of an `rsync` that deletes. */
export const removedByRsync: Removing = (args) =>
  args.some(({ text }) => text.startsWith('--del')) ? withoutOptions(args).slice(-1) : []

/** Folders that `chmod -R` makes unreadable. */
export const madeUnreadable: Removing = (args) =>
  isRecursive(args) && hasWord(args, unreadable) ? withoutOptions(args) : []

/** Files that tar deletes after it has stored them. */
export const removedByTar: Removing = (args) =>
  args.some(({ text }) => text === '--remove-files') ? withoutOptions(args) : []

/** Start folders of a `find` that deletes, with no test that limits what. */
export const removedByFind: Removing = (args) => {
  const texts = args.map(({ text }) => text)
  const removes =
    texts.includes('-delete') ||
    (texts.some((text) => /^-(exec|ok)/.test(text)) &&
      texts.some((text) => /(^|\/)(rm|shred|unlink)$/.test(text)))
  const isLoose = texts.some((text) => /^(!|-not|-o|-or|,)$/.test(text))
  const isLimited = texts.some((text, i) => narrows.test(text) && !/^[*.?/]*$/.test(texts[i + 1] ?? ''))
  return removes && (isLoose || !isLimited) ? findStarts(args) : []
}

function isRecursive(args: readonly Field[]): boolean {
  return hasWord(args, /^-[A-Za-z]*[rR]|^--r/)
}

/** A file mode that does not let the owner read. */
const unreadable = /^0*[0-3]?[0-3][0-7]{2}$|^0+$|^(?![go]+[-=])[ugoa]*(-[wxX]*r|=$)/

const narrows =
  /^-(i?name|i?path|i?wholename|i?regex|size|[acm]?(time|min|newer)|newer\w*|empty|user|perm|links|inum|samefile)$/
