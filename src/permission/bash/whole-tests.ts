import { bareText, type ScannedCommand, type Word } from './syntax.ts'

/**
 * Turns each part of `[[ a && b ]]` into a test of its own: to bash they are one command. Not after a redirect, where `[[` is an
 * ordinary word and `b` runs.
 */
export function wholeTests(commands: readonly ScannedCommand[]): readonly ScannedCommand[] {
  let around: readonly [Word, Word] | undefined
  return commands.map((command, at) => {
    const [first] = command.words
    if (around === undefined && first !== undefined && opens(command)) {
      const end = commands.slice(at).find(isClosed)?.words.at(-1)
      around = end && [first, end]
    }
    if (around === undefined) return command
    const [open, close] = around
    const isLast = isClosed(command)
    if (isLast) around = undefined
    const begun = first === open ? command.words : [open, ...command.words]
    return { ...command, words: isLast ? begun : [...begun, close] }
  })
}

function opens({ words: [first], redirects }: ScannedCommand): boolean {
  return first !== undefined && bareText(first) === '[[' && redirects.length === 0
}

function isClosed({ words }: ScannedCommand): boolean {
  const last = words.at(-1)
  return last !== undefined && bareText(last) === ']]'
}
