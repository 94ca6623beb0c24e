import { plain, type Term, type TermRow } from './terms.ts'

const width = 80
/** The widest first column. A longer name has a line of its own. */
const widest = 24

/** Formats terms for 80 columns. */
export function termText(terms: readonly Term[]): string {
  return terms.map(oneTerm).join('\n')
}

function oneTerm({ name, source, about, rows }: Term): string {
  const column = Math.min(widest, Math.max('there'.length, ...rows.map(({ term }) => term.length))) + 4
  const table = rows.map((row) => rowText(row, column)).join('')
  return `${name} (${source})\n\n${filled(sentence(about), 2)}${table === '' ? '' : `\n${'  there'.padEnd(column)}here\n${table}`}`
}

function rowText(row: TermRow, column: number): string {
  const text = filled(describe(row), column)
  const head = `  ${row.term}`
  return head.length > column - 2 ? `${head}\n${text}` : `${head.padEnd(column)}${text.slice(column)}`
}

/** Joins the names and the reason: `TaskEvent; task_created on disk and on the wire. Why.` */
function describe({ code, disk, wire, why }: TermRow): string {
  const places = [
    disk === wire ? [`${disk} on disk and on the wire`, disk] : [],
    disk === wire ? [] : [`${disk} on disk`, disk],
    disk === wire ? [] : [`${wire} on the wire`, wire],
  ].flatMap(([text = '', name = '']) => (name === '' ? [] : [text]))
  const names = [code, places.join(', ')].filter((text) => text !== '').join('; ')
  return why === '' ? names : `${names}. ${sentence(why)}`
}

/** Begins with a capital, but for a name in code, and ends with a full stop. */
function sentence(markdown: string): string {
  const text = plain(markdown)
  const begun = markdown.startsWith('`') ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(begun) ? begun : `${begun}.`
}

/** Breaks a text into indented lines. */
export function filled(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].map((one) => `${' '.repeat(indent)}${one}\n`).join('')
}
