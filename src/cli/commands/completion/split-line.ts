const part = /\\([\s\S])|'([^']*)(?:'|$)|"((?:\\[\s\S]|[^"\\])*)(?:"|$)|(\s+)|([^\s\\'"]+)/g

/** Splits a command line up to the cursor into words as bash does, without expanding anything. The last one is that at the cursor. */
export function splitLine(line: string): readonly string[] {
  const words = ['']
  for (const [whole, escaped, single, double, blank] of line.trimStart().matchAll(part)) {
    if (blank !== undefined) words.push('')
    else {
      const text = escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? whole
      words.push(`${words.pop() ?? ''}${text}`)
    }
  }
  return words
}
