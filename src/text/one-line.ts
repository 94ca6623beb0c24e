/** Returns a text in one line of at most `limit` characters, which ends in `…` if it was cut. Keeps whole characters. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : line
}
