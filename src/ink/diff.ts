import { type Line, line, span, wrap } from './line.ts'

/** Rows shown of the diff of a finished call; the rest is only counted. */
const shownRows = 60

/** Draws a whole unified diff of one file below the file name. */
export function drawWholeDiff(diff: string, width: number): Line[] {
  const name = /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1] ?? ''
  return [
    ...wrap([span(`  ${name}`, { bold: true })], width, 4),
    ...drawDiff(diff, width, Number.POSITIVE_INFINITY),
  ]
}

/** Draws a unified diff with line numbers: removed lines red, added lines green. Omits file names. */
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

/** Numbers the rows of all hunks: removed lines by the old file, others by the new one. `⋮` separates two hunks. */
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
      // Skip the file names above the first hunk.
    } else if (text.startsWith('+')) rows.push({ mark: '+', number: now++, text: text.slice(1) })
    else if (text.startsWith('-')) rows.push({ mark: '-', number: old++, text: text.slice(1) })
    else if (text.startsWith(' ')) {
      rows.push({ mark: ' ', number: now++, text: text.slice(1) })
      old++
    }
  }
  return rows
}

/** Counts added and removed lines: `+3 -1`. */
export function diffSize(diff: string): string {
  const rows = numbered(diff)
  const count = (mark: string) => rows.filter((row) => row.mark === mark).length
  return `+${count('+')} -${count('-')}`
}
