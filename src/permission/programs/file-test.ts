import type { ScannedCommand, Word } from '../bash/syntax.ts'

const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

/**
 * Whether a `test`, `[` or `[[` only checks files and strings. `-v` and number comparisons may also evaluate a subscript, which
 * can run a substitution.
 */
export function isFileTest(args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  if (third === undefined) return fileTest.test(first) || (first === '-t' && /^\d$/.test(second))
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((one) => /^(-?\d+|\$[?#])$/.test(one))
  return /^(=|==|!=|-nt|-ot|-ef)$/.test(second)
}

/** The files that a test checks. */
export function testedFiles(args: readonly string[]): readonly string[] {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args
  if (third === undefined) return /^-[nzt]$/.test(first) ? [] : [second]
  return second.startsWith('-') ? [first, third] : []
}

/**
 * Turns each part of `[[ a && b ]]` into a test of its own; to bash they are one command. Not after a redirect: there `[[` is an
 * ordinary word, and `b` would run.
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
