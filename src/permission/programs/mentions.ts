import type { Field } from '../bash/fields.ts'
import { carriesMessage, languageOf, runsCommands } from './carried.ts'
import { isReader } from './read-only.ts'
import { programOf } from './table.ts'

/** Whether pipe finds every command that a program runs, so that no other word need count as a command. */
export function isFollowed(name: string): boolean {
  const { wordsAreData, isShell, wraps, startsAnywhere } = programOf(name) ?? {}
  return [wordsAreData, isShell, wraps, startsAnywhere].some(Boolean) || isReader(name)
}

/** Words, in order, at each of which a command may begin: those of unknown programs, and of code that runs commands. */
export function mentionsIn(name: string, args: readonly Field[]): readonly string[] {
  if (programOf(name)?.isShell) return args.some(({ text }) => /^[-+]/.test(text)) ? [] : wordsOf(args)
  if (name === '' || /^\d/.test(name) || isFollowed(name)) return []
  const language = languageOf(name)
  const isCode = language !== undefined && args.some(({ text }) => language.code.test(text))
  return isCode ? mentionsInCode(args.map(({ text }) => text).join('\n')) : wordsOf(args)
}

/** The words of code that runs commands; none if it runs none. */
export function mentionsInCode(code: string): readonly string[] {
  return runsCommands.test(code) ? wordsIn(code) : []
}

/** The words of a text, whatever separates them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\w./:@%+~-]+/g) ?? []
}

function wordsOf(args: readonly Field[]): readonly string[] {
  return args.flatMap(({ text }, i) => (carriesMessage.test(args[i - 1]?.text ?? '') ? [] : wordsIn(text)))
}
