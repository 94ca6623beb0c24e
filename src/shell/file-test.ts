import type { ScannedCommand, Word } from './syntax.ts'

const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

/**
 * Whether these words of `test`, `[` or `[[` ask for no more than what files and texts are. What names a variable (`-v`), or compares
 * numbers, also runs what a subscript in its words substitutes.
 */
export function isFileTest(args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  if (third === undefined) return fileTest.test(first) || (first === '-t' && /^\d$/.test(second))
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((one) => /^(-?\d+|\$[?#])$/.test(one))
  return /^(=|==|!=|-nt|-ot|-ef)$/.test(second)
}

/** The files that such words ask about. */
export function testedFiles(args: readonly string[]): readonly string[] {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args
  if (third === undefined) return /^-[nzt]$/.test(first) ? [] : [second]
  return second.startsWith('-') ? [first, third] : []
}

/**
 * The same commands, where each part of a test in `[[` that `&&` and `||` join is a test of its own: to bash they are one. Behind a
 * redirect `[[` is none of its words, and what follows would run.
 */
export function wholeTests(commands: readonly ScannedCommand[]): readonly ScannedCommand[] {
  let around: readonly [Word, Word] | undefined
  return commands.map((command, at) => {
    const [first] = command.words
    if (
      around === undefined &&
      first !== undefined &&
      isBare(first, '[[') &&
      command.redirects.length === 0
    ) {
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

function isClosed({ words }: ScannedCommand): boolean {
  const last = words.at(-1)
  return last !== undefined && isBare(last, ']]')
}

function isBare({ parts: [part, ...more] }: Word, text: string): boolean {
  return part?.type === 'text' && part.text === text && !part.quoted && more.length === 0
}
