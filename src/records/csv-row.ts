/** Reads the fields of a row of CSV as RFC 4180 has it. Returns why it cannot be read where it cannot. */
export function readRow(text: string): readonly string[] | string {
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (text[at] !== '"') {
      const end = text.indexOf(',', at)
      fields.push(text.slice(at, end === -1 ? undefined : end))
      if (end === -1) return fields
      at = end + 1
      continue
    }
    const close = closingQuote(text, at + 1)
    if (close === -1) return 'a quote is not closed'
    fields.push(text.slice(at + 1, close).replaceAll('""', '"'))
    if (close + 1 === text.length) return fields
    if (text[close + 1] !== ',') return `text follows the closing quote of field ${fields.length}`
    at = close + 2
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  return -1
}
