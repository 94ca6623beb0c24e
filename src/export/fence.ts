/** Fences a text with more backticks than it has in a row. Empty for an empty text. */
export function fenced(text: string, language: string): string {
  if (text === '') return ''
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

/** Writes a line as a code span. */
export function codeSpan(line: string): string {
  const longest = longestRun(line)
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}
