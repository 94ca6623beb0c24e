import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { listSlashCommands } from '../../frontend/slash/slash-command.ts'
import { modeWords } from '../../frontend/words/mode-words.ts'
import { printable } from '../../terminal/printable.ts'
import type { ActionName, Binding, Bindings, KeyContext } from '../keys/bindings.ts'
import { keyLabel } from '../keys/key-label.ts'
import { cycledModes } from '../mode-cycle.ts'
import { columnsOf } from '../rows/columns.ts'
import { type Line, line, span, wrap } from '../rows/line.ts'
import type { Screen } from '../state.ts'
import { RowSource } from './row-source.ts'
import type { Source } from './source.ts'
import { openView, type View } from './view.ts'
import { emptyText } from './view-draw.ts'

/** A key or a command, and what it does. */
type Row = readonly [left: string, right: string]

interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

const titles: Readonly<Record<KeyContext, string>> = {
  empty: 'At an empty prompt',
  busy: 'While pipe works',
  prompt: 'At the prompt',
  editing: 'In the draft',
  search: 'Searching earlier messages',
  question: 'In a question',
}
const contexts: readonly KeyContext[] = ['prompt', 'empty', 'busy', 'question', 'editing', 'search']

const viewRows: readonly Row[] = [
  ['↑ ↓, j k', 'a row up, a row down; the wheel too'],
  ['PgUp PgDn, b Space', 'a screen up, a screen down'],
  ['u d', 'half a screen up, half a screen down'],
  ['g G', 'the beginning, the end'],
  ['/', 'search; in this list: show only what has these words'],
  ['n N', 'the next line found, the one before; in a diff, the next file'],
  ['[ ], ← →, Tab', 'another call, another file of a diff'],
  ['q, Esc', 'close'],
]

/** Meanings that differ where a server runs the conversation. `undefined`: the key has none. */
const atServer: Partial<Readonly<Record<ActionName, string | undefined>>> = {
  interrupt: "stop the server's turn",
  rewind: undefined,
  clear: 'clear the draft, else leave if pressed twice; the session keeps running',
}

/** Most columns of a key or a command; a longer one has its meaning below it. */
const longestLeft = 24
/** Narrower windows show every meaning below its key. */
const leastColumns = 60

/** Shows all keys by their context, and all commands. Typing after `/` narrows the list. */
export function helpView(api: FrontendApi, { bindings, status }: Pick<Screen, 'bindings' | 'status'>): View {
  const sections = [
    { title: 'Commands', rows: commandRows(api) },
    ...contexts.map((context) => ({
      title: titles[context],
      rows: keyRows(bindings, context, status.server !== undefined),
    })),
    { title: 'In a view such as this', rows: viewRows },
  ]
  const narrow = (words: string) => sourceOf(sections, words)
  return openView({ type: 'help', title: 'Keys and commands', source: narrow(''), narrow })
}

/** Lists the commands. Those of a project's files may have any names and words. */
function commandRows(api: FrontendApi): readonly Row[] {
  const clean = (text: string) => printable(text).replace(/\s+/g, ' ')
  return listSlashCommands(api).map(([usage, meaning]) => [clean(usage), clean(meaning)])
}

function keyRows({ table }: Bindings, context: KeyContext, isFollowed: boolean): readonly Row[] {
  return table.flatMap((binding): readonly Row[] => {
    if (binding.context !== context || binding.keys.length === 0) return []
    const isOther = isFollowed && binding.name in atServer
    const meaning = isOther ? atServer[binding.name] : binding.meaning
    if (meaning === undefined) return []
    return [
      [
        labelOf(binding),
        binding.name === 'mode'
          ? `${meaning}: ${cycledModes.map((mode) => modeWords[mode].short).join(', ')}`
          : meaning,
      ],
    ]
  })
}

/** Keys shown of a meaning that has several. */
const shownKeys = 2

function labelOf({ shown, keys }: Binding): string {
  return shown ?? keys.slice(0, shownKeys).map(keyLabel).join(', ')
}

function sourceOf(sections: readonly Section[], words: string): Source {
  const about = words.trim().toLowerCase()
  const found = sections.flatMap(({ title, rows }) => {
    const own = rows.filter((row) => row.join(' ').toLowerCase().includes(about))
    return own.length === 0 ? [] : [{ title, rows: own }]
  })
  return new RowSource((width) => ({
    rows: found.length === 0 ? emptyText('No key or command matches that.') : draw(found, width),
  }))
}

function draw(sections: readonly Section[], width: number): readonly Line[] {
  const lefts = sections.flatMap(({ rows }) => rows.map(([left]) => columnsOf(left)))
  const column = Math.max(...lefts.filter((columns) => columns <= longestLeft), 0) + 4
  return sections.flatMap(({ title, rows }, i): readonly Line[] => [
    ...(i === 0 ? [] : [[]]),
    line(title, { bold: true }),
    ...rows.flatMap((row) => drawRow(row, column, width)),
  ])
}

function drawRow([left, right]: Row, column: number, width: number): readonly Line[] {
  const key = span(`  ${left}`, { color: 'accent' })
  const gap = column - 2 - columnsOf(left)
  if (width < leastColumns || gap < 2)
    return [...wrap([key], width, 4), ...wrap([span(`    ${right}`, { color: 'muted' })], width, 4)]
  return wrap([key, span(' '.repeat(gap)), span(right)], width, column)
}
