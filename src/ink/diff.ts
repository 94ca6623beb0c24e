import { type Line, line, span, wrap } from './line.ts'

/** Of the diff of a call that is done, more rows are counted instead of shown. */
const shownRows = 60

/** The whole of a unified diff of one file, its name above it. */
export function drawWholeDiff(diff: string, width: number): Line[] {
  const name = /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1] ?? ''
  return [
    ...wrap([span(`  ${name}`, { bold: true })], width, 4),
    ...drawDiff(diff, width, Number.POSITIVE_INFINITY),
  ]
}

/** A unified diff with line numbers: what went is red, what came is green. File names are left out. */
export function drawDiff(diff: string, width: number, most = shownRows): Line[] {
  const rows = numbered(diff)
  const digits = String(rows.reduce((last, { number = 0 }) => Math.max(last, number), 0)).length
  const drawn = rows.slice(0, most).flatMap((row) => drawRow(row, digits, width))
  const left = rows.length - most
  return left > 0 ? [...drawn, line(`  … ${left} more lines`, { dim: true })] : drawn
}

interface Row {
  readonly mark: '+' | '-' | ' ' | '⋮'
  readonly number?: number
  readonly text: string
}

function drawRow({ mark, number, text }: Row, digits: number, width: number): Line[] {
  const margin = `  ${String(number ?? '').padStart(digits)} `
  if (mark === '⋮') return [line(`${margin}⋮`, { dim: true })]
  const style = mark === '+' ? ({ color: 'green' } as const) : mark === '-' ? ({ color: 'red' } as const) : {}
  const body = span(`${mark} ${text}`, style)
  return wrap([span(margin, { dim: true }), body], width, margin.length + 2)
}

/** The rows of all hunks, old numbers for what went and new ones for the rest; `⋮` between two hunks. */
function numbered(diff: string): readonly Row[] {
  const rows: Row[] = []
  let [old, now] = [0, 0]
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (hunk !== null) {
      if (rows.length > 0) rows.push({ mark: '⋮', text: '' })
      old = Number(hunk[1])
      now = Number(hunk[2])
    } else if (old + now === 0) {
      // The names of the files, above the first hunk.
    } else if (text.startsWith('+')) rows.push({ mark: '+', number: now++, text: text.slice(1) })
    else if (text.startsWith('-')) rows.push({ mark: '-', number: old++, text: text.slice(1) })
    else if (text.startsWith(' ')) {
      rows.push({ mark: ' ', number: now++, text: text.slice(1) })
      old++
    }
  }
  return rows
}

/** How many lines came and went: `+3 -1`. */
export function diffSize(diff: string): string {
  const rows = numbered(diff)
  const count = (mark: string) => rows.filter((row) => row.mark === mark).length
  return `+${count('+')} -${count('-')}`
}
