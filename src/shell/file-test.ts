const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

/**
 * Whether these words of `test`, `[` or `[[` ask for no more than what files and texts are. What names a variable (`-v`), or compares
 * numbers, also runs what a subscript in its words substitutes.
 */
export function isFileTest(args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  if (third === undefined) return fileTest.test(first)
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((one) => /^(-?\d+|\$[?#])$/.test(one))
  return /^(=|==|!=|-nt|-ot|-ef)$/.test(second)
}

/** The files that such words ask about. */
export function testedFiles(args: readonly string[]): readonly string[] {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args
  if (third === undefined) return /^-[nz]$/.test(first) ? [] : [second]
  return second.startsWith('-') ? [first, third] : []
}
