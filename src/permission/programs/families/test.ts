import type { Program, Reader } from '../program.ts'

export const test: Program = {
  reads: { files: (_, args) => filesOf(args), accepts: (_, args) => isFileTest(args) },
  opensNone: true,
  evaluates: true,
}

export const bracket: Program = { ...test, reads: closedBy(']') }

// Globs in `[[` are patterns, not files.
export const doubleBracket: Program = { ...test, reads: { ...closedBy(']]'), globs: true, keepsGlobs: true } }

function closedBy(close: string): Reader {
  return {
    files: (_, args) => filesOf(args.slice(0, -1)),
    accepts: (_, args) => args.at(-1) === close && isFileTest(args.slice(0, -1)),
  }
}

const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

/**
 * Whether a test only checks files and strings. `-v` and number comparisons may also evaluate a subscript, which can run a
 * substitution.
 */
function isFileTest(args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  if (third === undefined) return fileTest.test(first) || (first === '-t' && /^\d$/.test(second))
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((one) => /^(-?\d+|\$[?#])$/.test(one))
  return /^(=|==|!=|-nt|-ot|-ef)$/.test(second)
}

function filesOf(args: readonly string[]): readonly string[] {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args
  if (third === undefined) return /^-[nzt]$/.test(first) ? [] : [second]
  return second.startsWith('-') ? [first, third] : []
}
