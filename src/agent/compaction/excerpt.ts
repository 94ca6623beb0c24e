/** Shortens a text to its beginning and end, each at most half of `limit` characters, with a note of the gap's length. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  // Servers refuse half of a surrogate pair at either edge.
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
}
