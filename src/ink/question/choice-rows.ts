import { columnsOfLine, cut, type Line, span, wrap } from '../rows/line.ts'
import type { Choice } from './choice.ts'

/** The choices of a question in rows of one or two. */
export interface ChoiceRows {
  readonly choices: readonly Choice[]
  /** Indexes of choices. */
  readonly rows: readonly (readonly number[])[]
  /** Column of the second choice of a row. */
  readonly second: number
}

/** Columns between two choices of a row, and the width up to which a choice leaves room for a second. */
const gap = 3
const shortest = 14

/** Puts choices into rows. `pairs`: a short one shares its row with the next, and the last two stay together. */
export function layChoices(choices: readonly Choice[], columns: number, pairs: boolean): ChoiceRows {
  const widths = choices.map((choice) => columnsOfLine(drawChoice(choice, 'open')))
  const isShort = (width: number | undefined) => pairs && width !== undefined && width <= shortest
  const second = Math.max(0, ...widths.filter(isShort)) + gap
  const rows: number[][] = []
  for (let at = 0; at < choices.length; ) {
    const right = widths[at + 1]
    const fits = isShort(widths[at]) && right !== undefined && second + right <= columns
    const count = fits && at + 1 !== choices.length - 2 ? 2 : 1
    rows.push(count === 2 ? [at, at + 1] : [at])
    at += count
  }
  return { choices, rows, second }
}

/** Returns the choice that an arrow leads to. Passes over choices that cannot be taken, and wraps at the ends. */
export function moveAmong({ choices, rows }: ChoiceRows, from: number, key: string): number | undefined {
  const at = rows.findIndex((row) => row.includes(from))
  const column = rows[at]?.indexOf(from) ?? 0
  if (key === 'left' || key === 'right') {
    const to = rows[at]?.[column + (key === 'left' ? -1 : 1)]
    return to === undefined || choices[to]?.isWithheld === true ? undefined : to
  }
  const by = key === 'up' ? -1 : key === 'down' ? 1 : 0
  for (let i = 1; by !== 0 && i <= rows.length; i++) {
    const row = rows[(at + by * i + rows.length * i) % rows.length] ?? []
    const isFree = (index: number | undefined) => index !== undefined && choices[index]?.isWithheld !== true
    const to = isFree(row[column]) ? row[column] : row.find(isFree)
    if (to !== undefined) return to
  }
  return undefined
}

/** The look of a choice: no key selects it (`closed`), a key does (`open`), Enter does (`focused`). */
type Look = 'closed' | 'open' | 'focused'

/** Draws a row for each row of choices. `focused` is absent if no key selects any. */
export function drawChoiceRows(laid: ChoiceRows, focused: number | undefined, columns: number): Line[] {
  return laid.rows.map((row) => {
    const drawn = row.flatMap((index, i): Line => {
      const choice = laid.choices[index]
      if (choice === undefined) return []
      const look = focused === undefined ? 'closed' : index === focused ? 'focused' : 'open'
      const cell = drawChoice(choice, look)
      const space = row.length > 1 && i === 0 ? laid.second - columnsOfLine(cell) : 0
      return space > 0 ? [...cell, span(' '.repeat(space))] : cell
    })
    return cut(drawn, columns)
  })
}

function drawChoice({ keys, label, detail, isWithheld }: Choice, look: Look): Line {
  const isGrey = look === 'closed' || isWithheld === true
  return [
    look === 'focused' ? span(' ❯ ', { color: 'accent', bold: true }) : span('   '),
    span(`${keys.at(-1) ?? ''}  `, isGrey ? { color: 'muted' } : { bold: true }),
    span(label, isGrey ? { color: 'muted' } : {}),
    ...(detail === undefined ? [] : [span(`${isWithheld ? ' ' : '   '}${detail}`, { color: 'muted' })]),
  ]
}

/** Draws in full each choice that is cut in its own row, so that nobody selects what they cannot read. */
export function drawCutChoices({ choices }: ChoiceRows, columns: number): readonly (readonly Line[])[] {
  return choices.map((choice) => {
    const whole = drawChoice(choice, 'closed')
    return columnsOfLine(whole) <= columns ? [] : wrap(whole, columns, 6)
  })
}
