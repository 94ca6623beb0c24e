import type { Field } from '../bash/fields.ts'
import { commandName } from './command-name.ts'
import { innerOf } from './inner.ts'
import { isFollowed } from './mentioned-files.ts'
import type { Language } from './program.ts'
import { splitArguments } from './program-arguments.ts'
import { programOf } from './program-table.ts'
import { readsOnly } from './read-only.ts'
import { fieldsOf, hasWord, textsOf } from './word-fields.ts'

/**
 * The use of a command's input: a shell runs it (`script`), another interpreter does (`code`), a script reads it, a program that
 * pipe does not know reads it (`text`), or it is only data.
 */
export type InputUse = 'script' | 'code' | 'data of a script' | 'text' | 'data'

/** Kinds of input, the most dangerous first. */
export const inputKinds: readonly InputUse[] = ['script', 'data of a script', 'code', 'text']

/** Returns how a command uses its input. */
export function inputOf(fields: readonly Field[]): InputUse {
  const name = commandName(fields)
  const args = fields.slice(1)
  const { readsScript, opensShell, language } = programOf(name) ?? {}
  if (readsScript) {
    if (hasWord(args, /^[-+][A-Za-z]*s/)) return 'script'
    return isGiven(args, /^[-+][^c]*$/, /^[-+][A-Za-z]*[oO]$|^--(rcfile|init-file)$/)
      ? 'data of a script'
      : 'script'
  }
  if (opensShell !== undefined && isAlone(args, opensShell)) return 'script'
  if (language !== undefined) return isToldCode(args, language) ? 'data' : 'code'
  return isFollowed(name) ? 'data' : 'text'
}

const standardInput = /^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/.*\/fd\/\d+)$/

/** Whether a word is a file to run: no option, no option's value, and not a name for standard input. */
function isGiven(args: readonly Field[], option: RegExp, valued: RegExp): boolean {
  return args.some(
    ({ text, known }, i) =>
      known && !option.test(text) && !standardInput.test(text) && !valued.test(args[i - 1]?.text ?? ''),
  )
}

function isToldCode(args: readonly Field[], { code, valued, finds, goesOn }: Language): boolean {
  const isTold =
    hasWord(args.slice(0, 1), finds ?? /^$/) || hasWord(args, code) || isGiven(args, /^[-+]/, valued)
  return isTold && !(goesOn !== undefined && hasWord(args, goesOn))
}

/** Whether no command follows this many operands. */
function isAlone(args: readonly Field[], own: number): boolean {
  const texts = textsOf(args)
  if (texts.some((text) => /^(-c|--c[a-z]*)/.test(text))) return false
  const { operands } = splitArguments(texts, 'bBcDeEFgiIJlLmoOpPQRSuwW')
  return operands.filter((text) => text !== '-').length <= own
}

/** Nested commands to check. */
const mostCommands = 200

/** Whether a command, or one that it runs, executes its input, so that allowing its words would allow too much. */
export function readsCommands(words: readonly string[]): boolean {
  const todo: (readonly Field[])[] = [fieldsOf(words)]
  for (let i = 0; i < todo.length; i++) {
    const fields = todo[i] ?? []
    if (i === mostCommands || obeysInput(fields)) return true
    todo.push(...innerOf(fields).commands)
  }
  return false
}

function obeysInput(fields: readonly Field[]): boolean {
  const name = commandName(fields)
  const texts = textsOf(fields.slice(1))
  if (readsOnly([name, ...texts]) !== undefined) return false
  const { obeysInput: obeys } = programOf(name) ?? {}
  if (typeof obeys === 'function') return obeys(texts, readsOnly)
  return obeys ?? (texts.some((text) => standardInput.test(text)) || /^(script|code)$/.test(inputOf(fields)))
}
