import type { Field } from '../bash/fields.ts'
import { hasWord, textsOf } from './arguments.ts'
import { mentionsInCode, wordsIn } from './code.ts'
import { isReader } from './read-only.ts'
import { programOf } from './table.ts'

/** Options whose value is a message. */
const carriesMessage = /^(-m|--(message|title|body|notes|description|comment))$/

/** Whether pipe finds every command that a program runs, so that no other word need count as a command. */
export function isFollowed(name: string): boolean {
  const { wordsAreData, isShell } = programOf(name) ?? {}
  return wordsAreData === true || isShell === true || isReader(name)
}

/** Words, in order, at each of which a command may begin: those of unknown programs, and of code that runs commands. */
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
