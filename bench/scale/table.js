/** Prints rows, objects with the same keys, as a Markdown table with a title. */
export function printTable(title, rows) {
  const keys = Object.keys(rows[0])
  const line = (cells) => `| ${cells.join(' | ')} |`
  console.log(`\n${title}\n`)
  console.log(line(keys))
  console.log(line(keys.map((_, i) => (i === 0 ? '---' : '---:'))))
  for (const row of rows) console.log(line(keys.map((key) => text(row[key]))))
}

function text(value) {
  if (typeof value !== 'number') return value
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
