import type { Field } from '../bash/fields.ts'
import { mentionsInCode, wordsIn } from './code.ts'
import { programOf } from './program-table.ts'
import { isReader } from './read-only.ts'
import { hasWord, textsOf } from './word-fields.ts'

/** Options whose value is a message. */
const carriesMessage = /^(-m|--(message|title|body|notes|description|comment))$/

/** Whether pipe finds every command that a program runs, so no other word needs to count as one. */
export function isFollowed(name: string): boolean {
  const { wordsAreData, isShell } = programOf(name) ?? {}
  return wordsAreData === true || isShell === true || isReader(name)
}

/** The words of an unknown program, or of code that runs commands, in order. A command may begin at each. */
export function mentionsIn(name: string, args: readonly Field[]): readonly string[] {
  const { isShell, language } = programOf(name) ?? {}
  if (isShell) return hasWord(args, /^[-+]/) ? [] : wordsOf(args)
  if (name === '' || /^\d/.test(name) || isFollowed(name)) return []
  const isCode = language !== undefined && hasWord(args, language.code)
  return isCode ? mentionsInCode(textsOf(args).join('\n')) : wordsOf(args)
}

function wordsOf(args: readonly Field[]): readonly string[] {
  return args.flatMap(({ text }, i) => (carriesMessage.test(args[i - 1]?.text ?? '') ? [] : wordsIn(text)))
}
