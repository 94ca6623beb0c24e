import { errorLines } from '../../frontend/words/new-errors.ts'
import type { JsonValue } from '../../json-value.ts'
import { cut, type Line, span } from '../rows/line.ts'
import { bodyMargin } from '../rows/row.ts'

/** Errors that are shown below a call. */
const mostRows = 5

/** Draws the new errors that language servers found after a call, a row each. */
export function drawFoundErrors(details: JsonValue | undefined, width: number): Line[] {
  return errorLines(details, mostRows).map((row) =>
    cut([span(' '.repeat(bodyMargin(width))), span(row, { color: 'bad' })], width),
  )
}
