/** Returns a text in one line of at most `limit` characters, which ends in `…` if it was cut. Keeps whole characters. */
export function oneLine(text: string, limit: number): string {
  const read = text.trimStart()
  const line = read
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trimEnd()
  const letters = Array.from(line)
  const isCut = letters.length > limit || read.trimEnd().length > 4 * limit
  return isCut ? `${letters.slice(0, limit - 1).join('')}…` : line
}
