import type { Field } from '../bash/fields.ts'
import { literalsOf } from './code.ts'
import { commandName } from './command-name.ts'
import type { Inner } from './program.ts'
import { programOf } from './program-table.ts'
import { textOf, valuesAfter } from './word-fields.ts'

/** Returns the commands and scripts that a command runs: everything that its words show, perhaps more. */
export function innerOf(fields: readonly Field[]): Inner {
  const name = commandName(fields)
  const args = fields.slice(1)
  const { commands = [], scripts = [] } = programOf(name)?.mayRun?.(args) ?? {}
  return {
    commands: [...commands, ...gitOf(name, fields)],
    scripts: [...scripts, ...carriedScripts(name, args)],
  }
}

/** Returns the same call in the usual words, for a part of git that is called by its own name: `/usr/lib/git-core/git-push`. */
function gitOf(name: string, [first, ...args]: readonly Field[]): readonly (readonly Field[])[] {
  const [, subcommand] = /^git-([a-z][a-z-]*)$/.exec(name) ?? []
  if (first === undefined || subcommand === undefined) return []
  return [[{ ...first, text: 'git' }, { ...first, text: subcommand }, ...args]]
}

/** Possible commands in words that a program passes to a shell, and in code that runs commands. */
export function carriedScripts(name: string, args: readonly Field[]): readonly string[] {
  const { runs, obeys, language } = programOf(name) ?? {}
  const values = runs === undefined ? [] : valuesAfter(args, runs)
  const obeyed = obeys === undefined ? [] : args.flatMap((one) => (obeys(one.text) ? textOf(one) : []))
  return [
    ...known([...values, ...obeyed]).flatMap(piecesOf),
    ...codeIn(name, args).flatMap(language?.commands ?? literalsOf),
  ]
}

/** The code among the words of an interpreter, as far as it is known. */
export function codeIn(name: string, args: readonly Field[]): readonly string[] {
  const { language } = programOf(name) ?? {}
  return language === undefined ? [] : known(valuesAfter(args, language.code))
}

/** The command behind a marker: `exec=rm x`, `:!rm x`, `shell rm x`. */
function piecesOf(value: string): readonly string[] {
  const pieces = [value, ...value.split(/[=!:()"]/)]
  return pieces.flatMap((piece) => [piece, piece.trim().replace(/^\S+\s+/, '')])
}

function known(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined)
}
