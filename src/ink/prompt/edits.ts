import type { ActionName } from '../keys/bindings.ts'
import { borderAfter, borderBefore } from './borders.ts'
import { addKill } from './kill-ring.ts'
import { adopted, part } from './placeholders.ts'
import { emptyPrompt, isSame, type Prompt, replaceText, writePrompt } from './prompt.ts'
import { moveRow } from './prompt-rows.ts'
import { redo, undo } from './prompt-undo.ts'
import { spaceBefore, wordEnd, wordStart } from './words.ts'

type Edit = (prompt: Prompt, columns: number) => Prompt

/** Applies an edit by its name; `undefined` for an action that is no edit. `columns`: after which rows wrap. */
export function applyEdit(prompt: Prompt, name: ActionName, columns: number): Prompt | undefined {
  return edits[name]?.(prompt, columns)
}

const edits: Partial<Record<ActionName, Edit>> = {
  new_line: (prompt) => replaceText(prompt, { start: prompt.cursor, end: prompt.cursor, added: '\n' }),
  up: (prompt, columns) => moveRow(prompt, -1, columns) ?? recall(prompt, -1),
  down: (prompt, columns) => moveRow(prompt, 1, columns) ?? recall(prompt, 1),
  left: (prompt) => move(prompt, borderBefore(prompt, prompt.cursor)),
  right: (prompt) => move(prompt, borderAfter(prompt, prompt.cursor)),
  word_left: (prompt) => move(prompt, wordStart(prompt, prompt.cursor)),
  word_right: (prompt) => move(prompt, wordEnd(prompt, prompt.cursor)),
  line_start: (prompt) => move(prompt, lineStart(prompt)),
  line_end: (prompt) => move(prompt, lineEnd(prompt)),
  text_start: (prompt) => move(prompt, 0),
  text_end: (prompt) => move(prompt, prompt.text.length),
  delete_back: (prompt) => remove(prompt, borderBefore(prompt, prompt.cursor), prompt.cursor),
  delete: (prompt) => remove(prompt, prompt.cursor, borderAfter(prompt, prompt.cursor)),
  kill_word_back: (prompt) => kill(prompt, wordStart(prompt, prompt.cursor), prompt.cursor),
  kill_to_space: (prompt) => kill(prompt, spaceBefore(prompt, prompt.cursor), prompt.cursor),
  kill_word: (prompt) => kill(prompt, prompt.cursor, wordEnd(prompt, prompt.cursor)),
  kill_to_start: (prompt) => {
    const start = lineStart(prompt)
    return kill(prompt, start === prompt.cursor ? borderBefore(prompt, start) : start, prompt.cursor)
  },
  kill_to_end: (prompt) => {
    const end = lineEnd(prompt)
    return kill(prompt, prompt.cursor, end === prompt.cursor ? borderAfter(prompt, end) : end)
  },
  yank: (prompt) => {
    const { last, cursor, kills } = prompt
    const start = last?.type === 'killed' ? last.start : cursor
    return yank({ ...prompt, cursor: start }, start, kills.length - 1)
  },
  yank_pop: (prompt) => {
    const { last, kills } = prompt
    if (last?.type !== 'yanked') return prompt
    return yank(prompt, last.start, (last.index + kills.length - 1) % kills.length)
  },
  transpose,
  undo,
  redo,
}

function move(prompt: Prompt, cursor: number): Prompt {
  return { ...prompt, cursor, last: undefined }
}

function remove(prompt: Prompt, start: number, end: number): Prompt {
  return start === end ? prompt : replaceText(prompt, { start, end, added: '', last: { type: 'deleted' } })
}

/** Removes a text on one side of the cursor and keeps it, joined to what was cut just before. */
function kill(prompt: Prompt, start: number, end: number): Prompt {
  if (start === end) return prompt
  const side = start < prompt.cursor ? 'before' : 'after'
  const kills = addKill(prompt.kills, part(prompt, start, end), side, prompt.last?.type === 'killed')
  return { ...replaceText(prompt, { start, end, added: '', last: { type: 'killed', start } }), kills }
}

/** Replaces the text from `start` to the cursor with one that was cut. */
function yank(prompt: Prompt, start: number, index: number): Prompt {
  const killed = prompt.kills[index]
  if (killed === undefined) return prompt
  const { text, pastes } = adopted(prompt.pastes, killed)
  const change = { start, end: prompt.cursor, added: text, last: { type: 'yanked', start, index } } as const
  return replaceText(prompt, pastes.length === prompt.pastes.length ? change : { ...change, pastes })
}

/** Swaps the characters around the cursor, at the end of a line the two before it, and moves behind them. */
function transpose(prompt: Prompt): Prompt {
  const { text, cursor } = prompt
  const middle = cursor === lineEnd(prompt) ? borderBefore(prompt, cursor) : cursor
  const start = borderBefore(prompt, middle)
  const end = borderAfter(prompt, middle)
  if (start < lineStart(prompt) || start === middle || end === middle) return prompt
  return replaceText(prompt, { start, end, added: text.slice(middle, end) + text.slice(start, middle) })
}

function lineStart({ text, cursor }: Prompt): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd({ text, cursor }: Prompt): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** Shows an earlier or later message. What is left keeps its edits. */
function recall(prompt: Prompt, by: -1 | 1): Prompt {
  const { history, recalled } = prompt
  const from = recalled?.index ?? history.length
  const index = from + by
  if (index < 0 || index > history.length) return prompt
  const { text, pastes } = prompt
  const left = new Map(recalled?.left)
  if (!isSame({ text, pastes }, history[from])) left.set(from, { text, pastes })
  const shown = left.get(index) ?? history[index] ?? emptyPrompt
  left.delete(index)
  return { ...writePrompt(prompt, shown), recalled: { index, left } }
}
