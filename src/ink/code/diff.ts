import { languageOf } from '../../frontend/code/coloured-line.ts'
import { diffFiles, diffName } from '../../frontend/diff/diff-files.ts'
import { type DiffRow, diffRows } from '../../frontend/diff/diff-rows.ts'
import { counted } from '../../frontend/words/amount.ts'
import { cut, type Line, span, tinted, wrap } from '../rows/line.ts'
import type { Color, Tint } from '../rows/theme.ts'
import type { Syntax } from './code-syntax.ts'
import { highlightRows } from './diff-highlight.ts'

/** Rows of a diff that a finished call shows, and how many of a longer one. */
const shownRows = 20
const foldedRows = 12

/** Characters of a line that a finished call shows. */
const longestShown = 500

/** Draws a whole unified diff: each file below its name. */
export function drawWholeDiff(diff: string, width: number, syntax?: Syntax): Line[] {
  return diffFiles(diff).flatMap(({ name, remark, diff: file }) => [
    ...wrap([span(`  ${name}`, { bold: true }), ...remarkSpans(remark)], width, 4),
    ...drawDiff(file, width, syntax),
  ])
}

function remarkSpans(remark: string): Line {
  return remark === '' ? [] : [span(` ${remark}`, { color: 'muted' })]
}

/** Draws the first rows of a unified diff of one file, and says how many more there are. */
export function drawFoldedDiff(diff: string, width: number, syntax?: Syntax): Line[] {
  const rows = diffRows(diff)
  const first = rows.slice(0, shownRows + 1)
  const draw = drawerOf(rows, width, highlightRows(first, languageOf(diffName(diff)), syntax))
  const drawn: Line[] = []
  let folded = { rows: 0, height: 0 }
  for (const [i, row] of first.entries()) {
    // The wrapped rows of a long line do not fill the screen.
    const text = row.text.slice(0, longestShown)
    drawn.push(...draw(text.length < row.text.length ? { ...row, text: `${text}…` } : row))
    if (drawn.length <= foldedRows || i === 0) folded = { rows: i + 1, height: drawn.length }
    if (drawn.length > shownRows) return [...drawn.slice(0, folded.height), foldRow(rows, folded.rows, width)]
  }
  return drawn
}

function foldRow(rows: readonly DiffRow[], shown: number, width: number): Line {
  const left = rows.length - shown
  return cut(
    [span(`  … ${counted(left, 'more row')}`, { color: 'muted' }), span('   /diff', { color: 'faint' })],
    width,
  )
}

/** Draws a unified diff of one file with line numbers, on tinted rows. Omits file names. */
export function drawDiff(diff: string, width: number, syntax?: Syntax): Line[] {
  const rows = diffRows(diff)
  const draw = drawerOf(rows, width, highlightRows(rows, languageOf(diffName(diff)), syntax))
  return rows.flatMap((row) => draw(row))
}

type Drawer = (row: DiffRow) => Line[]

/** Creates a function that draws rows of a diff. */
function drawerOf(rows: readonly DiffRow[], width: number, looks: ReadonlyMap<DiffRow, Line>): Drawer {
  const digits = String(rows.reduce((last, { number = 0 }) => Math.max(last, number), 0)).length
  return (row) => {
    const { mark, number, text } = row
    const margin = span(`  ${String(number ?? '').padStart(digits)} `, { color: 'muted' })
    if (mark === '⋮') return [[{ ...margin, text: `${margin.text}⋮` }]]
    const body = looks.get(row) ?? [span(text)]
    const look = changed[mark]
    if (look === undefined) return wrap([margin, span('  '), ...body], width, margin.text.length + 2)
    const whole = [margin, span(`${mark} `, { color: look.color, bold: true }), ...coloured(body, look.color)]
    return wrap(whole, width, margin.text.length + 2).map((one) => tinted(one, look.tint, width))
  }
}

const changed: Readonly<Partial<Record<DiffRow['mark'], { readonly color: Color; readonly tint: Tint }>>> = {
  '+': { color: 'good', tint: 'added' },
  '-': { color: 'bad', tint: 'removed' },
}

/** Gives the text its colour where the theme has no tint to tell changed rows by. */
function coloured(spans: Line, untinted: Color): Line {
  return spans.map(({ text, style }) => ({ text, style: { ...style, untinted } }))
}
