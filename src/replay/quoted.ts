/** Characters of a text that are shown. */
const width = 120

/** Quotes the beginning of a text, in one line. */
export function quotedStart(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > width ? `${line.slice(0, width - 1)}…` : line)
}
