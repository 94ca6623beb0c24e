import { type DiffRow, diffRows } from '../text/diff-rows.ts'
import { type Line, line, span, wrap } from './line.ts'

/** Rows shown of the diff of a finished call; the rest is only counted. */
const shownRows = 60

/** Draws a whole unified diff: each file below its name. */
export function drawWholeDiff(diff: string, width: number): Line[] {
  const files = diff.split(/^(?=diff --git )/m).filter((one) => one.trim() !== '')
  return files.flatMap((file) => [
    ...wrap([span(`  ${nameIn(file)}`, { bold: true }), ...remarkOn(file)], width, 4),
    ...drawDiff(file, width, Number.POSITIVE_INFINITY),
  ])
}

/** Returns the name of a diff's file, also of one that has no lines to compare. */
function nameIn(file: string): string {
  const [, name] =
    /^\+\+\+ b\/(.*)$/m.exec(file) ??
    /^--- a\/(.*)$/m.exec(file) ??
    /^diff --git a\/.* b\/(.*)$/m.exec(file) ??
    []
  return name ?? ''
}

/** Says what the rows of a diff do not show. */
function remarkOn(file: string): Line {
  const [, change] = /^(new|deleted) file mode /m.exec(file) ?? []
  const isBinary = /^(?:Binary files |GIT binary patch$)/m.test(file)
  const [, mode] = /^new mode (\d+)$/m.exec(file) ?? []
  const remarks = [change, isBinary ? 'binary' : undefined, mode && `mode ${mode}`].filter(Boolean)
  return remarks.length === 0 ? [] : [span(` ${remarks.join(' · ')}`, { dim: true })]
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
