import type { PlainCommand } from '../command-line.ts'
import type { Field } from './fields.ts'

/** A host that is not this machine by any of its names or numbers, perhaps behind a user. */
const host =
  '(?:[^\\0:/@-][^\\0:/@]*@)?(?=[\\w.-]*[a-z])(?![\\w.-]*(?:0x|localhost|loopback))[a-z\\d_][a-z\\d_.-]*'
/** Up to the host, with options by which no other is meant, and none behind it. */
const untilHost = new RegExp(
  `^ssh(?:\\0-[46AaCnqTtvXxYy]*(?:[46AaCnqTtvXxYy]|[ilp]\\0?[^\\0-][^\\0]*))*\\0${host}(?=$|\\0[^-])`,
)
const ofHost = new RegExp(`^${host}:`)

/** Whether the commands of a line are what their names say: none beside those for other machines does more than read. */
export function keepsNames(plain: readonly PlainCommand[] | string): boolean {
  const isCertain = ({ words: [name = ''], readOnly }: PlainCommand) =>
    readOnly || /^(ssh|scp|rsync|sftp)$/.test(name)
  return typeof plain !== 'string' && plain.every(isCertain)
}

/** The words of `ssh` up to the machine on which the others are run; `undefined` where it is not certain that they are. */
export function wordsHere(fields: readonly Field[]): readonly Field[] | undefined {
  const found = untilHost.exec(fields.map(({ text }) => text).join('\0'))?.[0]
  const words = fields.slice(0, found?.split('\0').length ?? 0)
  return found !== undefined && words.every(({ known, glob }) => known && !glob) ? words : undefined
}

/** Whether a word names a file of another machine to a program that copies between machines. */
export function isFileElsewhere([name]: readonly Field[], { text, known }: Field): boolean {
  return known && /^(scp|rsync|sftp)$/.test(name?.text ?? '') && ofHost.test(text)
}
