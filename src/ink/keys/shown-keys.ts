import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, span } from '../rows/line.ts'
import type { Screen } from '../state.ts'
import { type ActionName, keyOf } from './bindings.ts'

/** A key by the name of its action, or as it is written, and what it does in a few words. */
type ShownKey = readonly [key: ActionName | `${string} `, does: string]

/** The keys of most use, in two columns of eight rows. */
const leftKeys: readonly ShownKey[] = [
  ['send', 'send'],
  ['queue', 'queue as the next turn'],
  ['new_line', 'new line'],
  ['@ ', 'a file'],
  ['/ ', 'a command'],
  ['shell', 'run a command yourself'],
  ['history_search', 'search what you wrote'],
  ['edit_outside', 'write in your editor'],
]
const rightKeys: readonly ShownKey[] = [
  ['mode', 'next mode'],
  ['next_model', 'next model'],
  ['interrupt', 'stop the turn'],
  ['rewind', 'go back to a message'],
  ['open_output', 'output of a call'],
  ['thoughts', 'thoughts of the model'],
  ['clear', 'clear; twice: quit'],
  ['/help ', 'all keys and commands'],
]

/** Columns of a window from which both columns are shown. */
const bothFrom = 72
const keyColumns = 12

/** Draws the short help above the prompt while it is open. */
export function drawKeys(screen: Screen): Line[] {
  const { showsKeys, size } = screen
  if (!showsKeys) return []
  const half = Math.min(40, Math.floor(size.columns / 2))
  return leftKeys.map((left, i): Line => {
    const [first, second] = [drawKey(left, screen), drawKey(rightKeys[i], screen)]
    if (size.columns < bothFrom) return cut(i === leftKeys.length - 1 ? second : first, size.columns)
    const gap = half - first.reduce((sum, { text }) => sum + columnsOf(text), 0)
    return cut([...first, span(' '.repeat(Math.max(2, gap))), ...second], size.columns)
  })
}

function drawKey(shown: ShownKey | undefined, { bindings }: Screen): Line {
  if (shown === undefined) return []
  const [name, does] = shown
  const key = isLiteral(name) ? name.trim() : keyOf(bindings, name)
  if (key === '') return []
  const gap = Math.max(1, keyColumns - columnsOf(key))
  return [span(`  ${key}`, { color: 'accent' }), span(`${' '.repeat(gap)}${does}`, { color: 'muted' })]
}

function isLiteral(name: ShownKey[0]): name is `${string} ` {
  return name.endsWith(' ')
}
