import { applyEdit } from '../prompt/edits.ts'
import { insertText, type Prompt } from '../prompt/prompt.ts'
import { moveRow } from '../prompt/prompt-rows.ts'
import { graphemes } from '../rows/columns.ts'
import { endOfLine, onCharacter, type Stretch } from './lines-at.ts'
import { isCommanding, isVisual, type Repeatable } from './vim.ts'
import { settledPrompt, withVim } from './vim-change.ts'
import { type Motion, type Operator, readVimCommand, type VimCommand, type VimTarget } from './vim-command.ts'
import { doDeed, redoChanges } from './vim-deeds.ts'
import { beginInsertion, leaveInsertion, writeAgain } from './vim-insertion.ts'
import { moveFrom } from './vim-motions.ts'
import { objectAt } from './vim-objects.ts'
import { linesFrom, operate, shaped, stretchTo } from './vim-operators.ts'
import { doSelected, selectObject } from './vim-selecting.ts'
import { selectionOf, stretchOfExtent } from './vim-selection.ts'

/** Reads text as commands until one of them begins the insert mode. Rows wrap after `columns`. */
export function typeVim(prompt: Prompt, text: string, columns: number): Prompt {
  let now = prompt
  let rest = text
  for (const one of graphemes(text)) {
    if (!isCommanding(now.vim)) return insertText(now, rest)
    now = typeKey(now, one, columns)
    rest = rest.slice(one.length)
  }
  return now
}

/** Keys without text, by the command that they stand for. */
const presses: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  up: 'k',
  down: 'j',
  home: '0',
  end: '$',
  backspace: 'h',
  delete: 'x',
  'ctrl+left': 'b',
  'ctrl+right': 'w',
}

/** Reads a key without text; `undefined` if it means what it means without vim keys. */
export function pressVim(prompt: Prompt, name: string, columns: number): Prompt | undefined {
  const { vim } = prompt
  if (vim === undefined) return undefined
  if (name === 'esc') return escapeVim(prompt)
  if (!isCommanding(vim)) return undefined
  const { pending } = vim
  if (name === 'ctrl+r' && vim.mode === 'normal' && /^\d*$/.test(pending)) {
    const count = Math.min(999, Number(pending || '1'))
    return settledPrompt(redoChanges(withVim(prompt, { pending: '' }), count))
  }
  const text = presses[name]
  if (text !== undefined) return typeKey(prompt, text, columns)
  // Another key ends a command that is not complete.
  return pending === '' || name === 'enter' ? undefined : withVim(prompt, { pending: '' })
}

/** Ends a command that is not complete, else the mode; `undefined` if there is nothing to end. */
function escapeVim(prompt: Prompt): Prompt | undefined {
  const { vim } = prompt
  if (vim === undefined) return undefined
  if (vim.mode === 'insert') return leaveInsertion(prompt)
  if (vim.pending !== '') return withVim(prompt, { pending: '' })
  return isVisual(vim) ? settledPrompt(withVim(prompt, { mode: 'normal' })) : undefined
}

function typeKey(prompt: Prompt, key: string, columns: number): Prompt {
  const { vim } = prompt
  if (vim === undefined) return prompt
  const keys = vim.pending + key
  const command = readVimCommand(keys, isVisual(vim))
  if (command === 'incomplete') return withVim(prompt, { pending: keys })
  const ready = vim.pending === '' ? prompt : withVim(prompt, { pending: '' })
  if (command === undefined) return ready
  return settledPrompt(doCommand(ready, command, columns) ?? ready)
}

function doCommand(prompt: Prompt, command: VimCommand, columns: number): Prompt | undefined {
  const selected = selectionOf(prompt)
  if (command.type === 'move') return moveCursor(prompt, command.target, command.count, columns)
  if (selected !== undefined) return doInVisual(prompt, command, selected)
  if (command.type === 'select') return undefined
  if (command.type === 'operate') return operateOn(prompt, command)
  const short = shorthands[command.name]
  if (short !== undefined) return operateOn(prompt, { type: 'operate', count: command.count, ...short })
  if (command.name === '.') return repeatChange(prompt, command.count, columns)
  const done = doDeed(prompt, command)
  if (done === undefined || !repeated.has(command.name)) return done
  return withVim(done, { change: { command, inserted: undefined, selected: undefined } })
}

/** Commands that `.` does again, apart from operators and those that begin the insert mode. */
const repeated: ReadonlySet<string> = new Set(['p', 'P', 'r', '~', 'J', 'gJ'])

const motion = (name: string): Motion => ({ type: 'motion', name, character: '' })

const shorthands: Readonly<Record<string, { readonly operator: Operator; readonly target: VimTarget }>> = {
  x: { operator: 'd', target: motion('l') },
  X: { operator: 'd', target: motion('h') },
  s: { operator: 'c', target: motion('l') },
  S: { operator: 'c', target: { type: 'lines' } },
  D: { operator: 'd', target: motion('$') },
  C: { operator: 'c', target: motion('$') },
  Y: { operator: 'y', target: { type: 'lines' } },
}

function moveCursor(
  prompt: Prompt,
  target: Motion,
  count: number | undefined,
  columns: number,
): Prompt | undefined {
  const { vim, cursor, text } = prompt
  if (vim === undefined) return undefined
  const by = rowMoves[target.name]
  if (by !== undefined) return moveRows(prompt, by, count ?? 1, columns)
  const { find } = vim
  const moved = moveFrom(prompt, cursor, target, {
    count,
    operator: undefined,
    find,
    isVisual: isVisual(vim),
  })
  if (moved === undefined) return undefined
  const { to, staysAtEnd = false } = moved
  // A selection to the end of a line has its line break.
  const at = staysAtEnd && isVisual(vim) ? endOfLine(text, to) : to
  const last = staysAtEnd ? ({ type: 'moved', goal: Number.POSITIVE_INFINITY } as const) : undefined
  return withVim({ ...prompt, cursor: at, last }, { find: moved.find ?? find })
}

const rowMoves: Readonly<Record<string, -1 | 1>> = { j: 1, gj: 1, k: -1, gk: -1 }

/** Moves by rows as they are shown. From the first and the last one, an earlier or later message is shown. */
function moveRows(prompt: Prompt, by: -1 | 1, count: number, columns: number): Prompt | undefined {
  const first = moveRow(prompt, by, columns)
  const isSelecting = prompt.vim !== undefined && isVisual(prompt.vim)
  if (first === undefined) return isSelecting ? undefined : applyEdit(prompt, by < 0 ? 'up' : 'down', columns)
  let now = first
  for (let left = count - 1; left > 0; left--) now = moveRow(now, by, columns) ?? now
  const isToEnd = now.last?.type === 'moved' && now.last.goal === Number.POSITIVE_INFINITY
  return isSelecting && !isToEnd ? { ...now, cursor: onCharacter(now, now.cursor) } : now
}

function operateOn(
  prompt: Prompt,
  command: Extract<VimCommand, { readonly type: 'operate' }>,
): Prompt | undefined {
  const { operator, target } = command
  const reach = target && reachOf(prompt, operator, target, command.count)
  if (reach === undefined) return undefined
  const done = operate(prompt, operator, reach.stretch, { cursor: reach.cursor, times: 1 })
  const found = reach.find === undefined ? done : withVim(done, { find: reach.find })
  const change: Repeatable = { command, inserted: undefined, selected: undefined }
  const at = reach.stretch.isLines ? reach.cursor : reach.stretch.start
  if (operator === 'c') return beginInsertion(found, { change, before: { ...prompt, cursor: at } })
  return operator === 'y' ? found : withVim(found, { change })
}

/** Returns what an operator works on, and where the cursor goes if it stays in these lines. */
function reachOf(prompt: Prompt, operator: Operator, target: VimTarget, count: number | undefined) {
  const { text, cursor, vim } = prompt
  if (target.type === 'lines') {
    // There are no more lines than the last one.
    if ((count ?? 1) > 1 && endOfLine(text, cursor) === text.length) return undefined
    const stretch = linesFrom(text, cursor, count ?? 1)
    return { stretch, cursor: operator.startsWith('g') ? stretch.start : cursor, find: undefined }
  }
  if (target.type === 'object') {
    const found = objectAt(prompt, cursor, target, count ?? 1)
    const stretch = found && shaped(text, found, true, operator)
    return stretch && { stretch, cursor: stretch.start, find: undefined }
  }
  const moved = moveFrom(prompt, cursor, target, { count, operator, find: vim?.find })
  if (moved === undefined) return undefined
  const stretch = stretchTo(prompt, cursor, moved, operator)
  return { stretch, cursor: Math.min(cursor, moved.to), find: moved.find }
}

function doInVisual(
  prompt: Prompt,
  command: Exclude<VimCommand, { readonly type: 'move' }>,
  selected: Stretch,
): Prompt | undefined {
  const { vim, cursor } = prompt
  if (vim === undefined) return undefined
  if (command.type === 'select') return selectObject(prompt, command.target, command.count ?? 1)
  if (command.type === 'do') {
    const { name } = command
    if (name === 'o') return withVim({ ...prompt, cursor: vim.anchor }, { anchor: cursor })
    if (name === 'v' || name === 'V') {
      const mode = name === 'v' ? 'visual' : 'visual_line'
      return withVim(prompt, { mode: mode === vim.mode ? 'normal' : mode })
    }
  }
  return doSelected(prompt, command, selected)
}

/** Makes the last change again. */
function repeatChange(prompt: Prompt, count: number | undefined, columns: number): Prompt | undefined {
  const { vim } = prompt
  if (vim?.change === undefined) return undefined
  const { command: known, inserted, selected } = vim.change
  const command = count === undefined ? known : { ...known, count }
  const done =
    selected === undefined || command.type === 'move'
      ? doCommand(prompt, command, columns)
      : doSelected(prompt, command, stretchOfExtent(prompt, prompt.cursor, selected))
  if (done?.vim?.mode !== 'insert') return done
  return leaveInsertion(inserted === undefined ? done : writeAgain(done, inserted))
}
