import { type DiffRow, diffRows } from '../text/diff-rows.ts'
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
  const rows = diffRows(diff)
  const digits = String(rows.reduce((last, { number = 0 }) => Math.max(last, number), 0)).length
  const drawn = rows.slice(0, most).flatMap((row) => drawRow(row, digits, width))
  const left = rows.length - most
  return left > 0 ? [...drawn, line(`  … ${left} more lines`, { dim: true })] : drawn
}

function drawRow({ mark, number, text }: DiffRow, digits: number, width: number): Line[] {
  const margin = `  ${String(number ?? '').padStart(digits)} `
  if (mark === '⋮') return [line(`${margin}⋮`, { dim: true })]
  const style = mark === '+' ? ({ color: 'green' } as const) : mark === '-' ? ({ color: 'red' } as const) : {}
  const body = span(`${mark} ${text}`, style)
  return wrap([span(margin, { dim: true }), body], width, margin.length + 2)
}
