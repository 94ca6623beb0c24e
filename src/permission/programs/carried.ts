import type { Field } from '../bash/fields.ts'
import { fieldsOf, valuesAfter } from './arguments.ts'
import type { Language } from './program.ts'
import { programOf } from './table.ts'

/** Looks up an interpreter's language by the program's name. */
export function languageOf(name: string): Language | undefined {
  return programOf(name)?.language
}

/** Whether these options make a program run something that its first words do not name. */
export function isDetour(name: string, args: readonly string[]): boolean {
  const { runs, detours, ownWords } = programOf(name) ?? {}
  const own = ownWords?.(args) ?? args
  if (own.some((arg) => runs?.test(arg) || detours?.test(arg))) return true
  return /awk$|sed$/.test(name) && carriedScripts(name, fieldsOf(own)).length > 0
}

/** Options whose value is a text for people. */
export const carriesMessage: RegExp = /^(-m|--(message|title|body|notes|description|comment))$/

/** Marks of code that runs commands. */
export const runsCommands: RegExp =
  /system|exec|popen|spawn|subprocess|child_process|passthru|Command|shell|[`|]|qx/
/** A command that sed runs, or a replacement with the `e` flag. */
const sedRuns = /(?:^|[;{}\s\d$/])e\s+([^\n]+)|([^\n]*)\/[gpiIm\d]*e[gpiIm\d]*(?=$|[;}\s])/g

/** Possible commands in the words that a program passes to a shell, or in code that runs commands. */
export function carriedScripts(name: string, args: readonly Field[]): readonly string[] {
  const { runs, language } = programOf(name) ?? {}
  const values = runs === undefined ? [] : valuesAfter(args, runs)
  const code = language === undefined ? [] : valuesAfter(args, language.code)
  return [
    ...known(values).flatMap(piecesOf),
    ...known(code).flatMap(/sed$/.test(name) ? sedCommands : literalsOf),
  ]
}

/** The command behind a marker: `exec=rm x`, `:!rm x`, `shell rm x`. */
function piecesOf(value: string): readonly string[] {
  const pieces = [value, ...value.split(/[=!:()"]/)]
  return pieces.flatMap((piece) => [piece, piece.trim().replace(/^\S+\s+/, '')])
}

function sedCommands(script: string): readonly string[] {
  return [...script.matchAll(sedRuns)].flatMap(([, command, replacement = '']) =>
    command === undefined ? replacement.split('/') : [command],
  )
}

/** String literals in code, alone and joined with the next ones, as in `["rm", "x"]`. None if the code runs no commands. */
export function literalsOf(code: string): readonly string[] {
  if (!runsCommands.test(code)) return []
  const literals = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(([, , text = '']) => text)
  return literals.slice(0, 32).flatMap((text, i) => [text, literals.slice(i, i + 4).join(' ')])
}

function known(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined)
}
