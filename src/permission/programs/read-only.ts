import { fieldsOf, pathIn, readArguments } from './arguments.ts'
import { systemName } from './command-name.ts'
import { carriedScripts } from './inner.ts'
import type { Reader } from './program.ts'
import { none } from './readers.ts'
import { programOf } from './table.ts'

/** Whether some calls of this program only read. */
export function isReader(name: string): boolean {
  const reader = readerOf(name)
  return reader !== undefined && reader.runs !== true
}

/** The files that a command reads; `undefined` if it may do more than read. `globs`: its words hold globs. */
export function readsOnly(
  [word = '', ...args]: readonly string[],
  globs: boolean,
): readonly string[] | undefined {
  const reader = readerOf(word)
  const files = reader && operandsRead(reader, args, globs)
  if (reader === undefined || files === undefined) return undefined
  const hasPaths = reader.files !== none && reader.pathOptions !== false
  const named = hasPaths ? args.flatMap((arg) => pathIn(arg, reader.valued)) : []
  return [...files, ...named].filter((file) => file !== '-' && file !== '')
}

/** The files that a command reads if no word holds a glob. */
export function readsWords(words: readonly string[]): readonly string[] | undefined {
  return readsOnly(words, false)
}

/** Files that a read-only command is given. It prints the contents of some, and only the names of others. */
export interface NamedFiles {
  readonly contents: readonly string[]
  readonly names: readonly string[]
}

/** Returns `undefined` if the command may do more than read. `globs`: its words hold globs. */
export function filesNamed([word = '', ...args]: readonly string[], globs: boolean): NamedFiles | undefined {
  const reader = readerOf(word)
  const files = reader && operandsRead(reader, args, globs)
  if (files === undefined) return undefined
  const contents = reader?.contents?.(args) ?? files
  return { contents, names: files.filter((file) => !contents.includes(file)) }
}

/** Whether options make a command run others, or write or remove files, so that its first words do not show what it does. */
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

function readerOf(word: string): Reader | undefined {
  return programOf(systemName(word))?.reads
}

function operandsRead(
  reader: Reader,
  args: readonly string[],
  globs: boolean,
): readonly string[] | undefined {
  const given = readArguments(args, reader.valued, reader.valuedLong)
  if (globs && !(reader.globs ?? reader.accepts === undefined)) return undefined
  if (reader.accepts?.(given, args, readsWords) === false) return undefined
  return reader.files?.(given, args, readsWords) ?? given.operands
}
