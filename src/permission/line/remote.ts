import type { Result } from '../../text/result.ts'
import type { Field } from '../bash/fields.ts'
import type { PlainCommand } from '../command-line.ts'

/** A host that cannot be this machine by any name or number, optionally with a user. */
const host =
  '(?:[^\\0:/@-][^\\0:/@]*@)?(?=[\\w.-]*[a-z])(?![\\w.-]*(?:0x|localhost|loopback))[a-z\\d_][a-z\\d_.-]*'
/** Matches `ssh` up to the host. Only with options that name no other host, and with no option after it. */
const untilHost = new RegExp(
  `^ssh(?:\\0-[46AaCnqTtvXxYy]*(?:[46AaCnqTtvXxYy]|[ilp]\\0?[^\\0-][^\\0]*))*\\0${host}(?=$|\\0[^-])`,
)
const ofHost = new RegExp(`^${host}:`)

/** Whether commands still mean what their names say: all of them only read or address other machines. */
export function keepsNames(plain: Result<readonly PlainCommand[]>): boolean {
  const isCertain = ({ words: [name = ''], readOnly }: PlainCommand) =>
    readOnly || /^(ssh|scp|rsync|sftp)$/.test(name)
  return plain.type === 'ok' && plain.value.every(isCertain)
}

/** The words of `ssh` up to the host, which runs the rest; `undefined` if that is not certain. */
export function wordsHere(fields: readonly Field[]): readonly Field[] | undefined {
  const found = untilHost.exec(fields.map(({ text }) => text).join('\0'))?.[0]
  const words = fields.slice(0, found?.split('\0').length ?? 0)
  return found !== undefined && words.every(({ known, glob }) => known && !glob) ? words : undefined
}

/** Whether a word names a file on another machine to `scp`, `rsync` or `sftp`. */
export function isRemoteFile([name]: readonly Field[], { text, known }: Field): boolean {
  return known && /^(scp|rsync|sftp)$/.test(name?.text ?? '') && ofHost.test(text)
}
