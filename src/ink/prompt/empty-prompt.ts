import { keyHint } from '../keys/bindings.ts'
import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, span } from '../rows/line.ts'
import { withRight } from '../rows/row.ts'
import type { Screen } from '../state.ts'
import { promptMark } from './prompt.ts'

/** Columns of a window from which the key of the short help is named. */
const hintFrom = 60

/** Draws the prompt without a draft: what can be written there, as far as it has room, with the cursor on its first character. */
export function drawEmptyPrompt(screen: Screen): Line {
  const { size, bindings, busySince, task } = screen
  const room = size.columns - columnsOf(promptMark) - 1
  const words = wordsOf(screen).find((form) => columnsOf(form) <= room) ?? ''
  const under = words.slice(0, 1)
  const row: Line = [
    span(promptMark, { color: 'accent', bold: true }),
    span(under || ' ', { inverse: true, isCursor: true }),
    span(words.slice(1), { color: 'faint' }),
  ]
  const isIdle = busySince === undefined && task === undefined
  const hint = isIdle && size.columns >= hintFrom ? keyHint(bindings, 'help', 'keys') : ''
  return hint === ''
    ? cut(row, size.columns)
    : withRight(row, [line(hint, { color: 'faint' }), []], size.columns)
}

/** Lists what the prompt says of itself, the longest form first. */
function wordsOf({ busySince, task, status, hasBegun }: Screen): readonly string[] {
  if (busySince !== undefined) return ['Add to this turn…']
  if (task !== undefined) return [`Sent once pipe is done ${task.doing}…`, 'Sent once this is done…']
  if (hasBegun) return ['Ask for more · @ files · / commands', 'Ask for more']
  const { earlier, isEmptyFolder = false } = status
  const ask = isEmptyFolder ? 'Say what to build' : 'Ask anything'
  const usual = `${ask} · @ files · / commands`
  return earlier === undefined ? [usual, ask] : [`${ask} · /resume continues “${earlier}”`, usual, ask]
}
