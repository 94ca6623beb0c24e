import { columnsOfLine, cut, type Line, span, wrap } from '../rows/line.ts'
import type { Choice } from './choice.ts'

/** Returns the choice that an arrow leads to. Passes over choices that cannot be taken, and wraps at the ends. */
export function moveAmong(choices: readonly Choice[], from: number, key: string): number | undefined {
  const by = key === 'up' ? -1 : key === 'down' ? 1 : 0
  const count = choices.length
  for (let i = 1; by !== 0 && i <= count; i++) {
    const to = (from + by * i + count * i) % count
    if (choices[to]?.isWithheld !== true) return to
  }
  return undefined
}

/** The look of a choice: no key selects it (`closed`), a key does (`open`), Enter does (`focused`). */
type Look = 'closed' | 'open' | 'focused'

/** Returns the look of the choice at an index. `focused` is absent if no key selects any. */
export function choiceLook(index: number, focused: number | undefined): Look {
  if (focused === undefined) return 'closed'
  return index === focused ? 'focused' : 'open'
}

/** Columns before a label. */
const hang = 6

/** Draws a choice, which may be wider than the screen. */
function drawChoice({ keys, label, detail, isWithheld }: Choice, look: Look): Line {
  const isGrey = look === 'closed' || isWithheld === true
  return [
    look === 'focused' ? span(' ❯ ', { color: 'accent', bold: true }) : span('   '),
    span(`${keys.at(-1) ?? ''}  `, isGrey ? { color: 'muted' } : { bold: true }),
    span(label, isGrey ? { color: 'muted' } : {}),
    ...(detail === undefined ? [] : [span(`${isWithheld ? ' ' : '   '}${detail}`, { color: 'muted' })]),
  ]
}

/** Draws a choice in as many rows as it takes. A detail that has no room beside the label has rows of its own. */
export function drawWholeChoice(choice: Choice, look: Look, columns: number): readonly Line[] {
  const { detail, ...bare } = choice
  const row = drawChoice(choice, look)
  if (detail === undefined || columnsOfLine(row) <= columns) return wrap(row, columns, hang)
  const below = [span(`${' '.repeat(hang)}${detail}`, { color: 'muted' })]
  return [...wrap(drawChoice(bare, look), columns, hang), ...wrap(below, columns, hang)]
}

/** Draws a choice in one row. */
export function drawCutChoice(choice: Choice, look: Look, columns: number): Line {
  return cut(drawChoice(choice, look), columns)
}

/** Draws in full each choice that is cut in its own row, so that nobody selects what they cannot read. */
export function drawCutChoices(choices: readonly Choice[], columns: number): readonly (readonly Line[])[] {
  return choices.map((choice) => {
    const isCut = columnsOfLine(drawChoice(choice, 'closed')) > columns
    return isCut ? drawWholeChoice(choice, 'closed', columns) : []
  })
}
