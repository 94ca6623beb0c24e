/** The beginning and the end of a text, each at most half of `limit` characters, and how much is left out between them. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  // No half of a surrogate pair at either edge: servers refuse it.
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
}
