import { systemName } from './command-name.ts'
import { carriedScripts } from './inner.ts'
import type { Reader, ReadsOnly } from './program.ts'
import { pathIn, splitArguments } from './program-arguments.ts'
import { programOf } from './program-table.ts'
import { none } from './readers.ts'
import { fieldsOf } from './word-fields.ts'

/** Whether some calls of this program only read. */
export function isReader(name: string): boolean {
  const reader = readerOf(name)
  return reader !== undefined && reader.runs !== true
}

/** Files that a read-only command reads. */
export interface FilesRead {
  /** All of them, including the values of options. */
  readonly all: readonly string[]
  /** Operands whose contents it prints, and those whose names it only prints. */
  readonly contents: readonly string[]
  readonly names: readonly string[]
}

/** Returns `undefined` if the command may do more than read. `globs`: its words hold globs. */
export function filesRead([word = '', ...args]: readonly string[], globs: boolean): FilesRead | undefined {
  const reader = readerOf(word)
  if (reader === undefined || (globs && !(reader.globs ?? reader.accepts === undefined))) return undefined
  const given = splitArguments(args, reader.valued, reader.valuedLong)
  if (reader.accepts?.(given, args, readsOnly) === false) return undefined
  const named = reader.files?.(given, args, readsOnly) ?? given.operands
  // A quoted glob is a pattern, and the shell's own globs are considered elsewhere.
  const doubtful = reader.files === none ? [] : given.doubtful.filter((word) => !/[*?[]/.test(word))
  const files = [...named, ...doubtful]
  const hasPaths = reader.files !== none && reader.pathOptions !== false
  const inOptions = hasPaths ? args.flatMap((arg) => pathIn(arg, reader.valued)) : []
  const contents = reader.contents?.(args) ?? files
  return {
    all: [...files, ...inOptions].filter((file) => file !== '-' && file !== ''),
    contents,
    names: files.filter((file) => !contents.includes(file)),
  }
}

/** The files that a command reads; `undefined` if it may do more than read. */
export const readsOnly: ReadsOnly = (words, globs = false) => filesRead(words, globs)?.all

/** Whether options make a command run others, write or remove files, so that its first words do not show what it does. */
export function runsMore([word = '', ...args]: readonly string[]): boolean {
  const name = systemName(word)
  const { doesMore, ownWords, runs, detours, obeys, language } = programOf(name) ?? {}
  const own = ownWords?.(args) ?? args
  const isDetour = detours instanceof RegExp ? (arg: string) => detours.test(arg) : detours
  return (
    doesMore?.(args) === true ||
    own.some((arg) => runs?.test(arg) || isDetour?.(arg) || obeys?.(arg)) ||
    (language?.isFilter === true && carriedScripts(name, fieldsOf(own)).length > 0)
  )
}

/** Whether this text, as input of a command, holds commands of that program's language that run programs or open files. */
export function obeys([word = '']: readonly string[], text: string): boolean {
  return programOf(systemName(word))?.obeys?.(text) === true
}

function readerOf(word: string): Reader | undefined {
  return programOf(systemName(word))?.reads
}
