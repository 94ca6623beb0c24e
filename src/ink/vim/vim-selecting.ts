import { borderBefore } from '../prompt/borders.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { endOfLine, type Stretch, startOfLine } from './lines-at.ts'
import type { Repeatable } from './vim.ts'
import { changedTo, keepPart, withVim } from './vim-change.ts'
import type { Operator, TextObject, VimCommand } from './vim-command.ts'
import { beginInsertion } from './vim-insertion.ts'
import { objectAt } from './vim-objects.ts'
import { joinLines, linesOf, operate } from './vim-operators.ts'
import { putOver } from './vim-put.ts'
import { extentOf, selectionOf } from './vim-selection.ts'

type Selecting = Exclude<VimCommand, { readonly type: 'move' }>

/** Does a command that works on what is selected, and leaves the visual mode. */
export function doSelected(prompt: Prompt, command: Selecting, stretch: Stretch): Prompt {
  const change = { command, inserted: undefined, selected: extentOf(prompt, stretch) }
  if (command.type === 'operate') {
    const { operator, count = 1 } = command
    return operateSelected(prompt, { operator, stretch, change, times: count })
  }
  return command.type === 'do' ? doDeedSelected(prompt, command, stretch, change) : prompt
}

/** Commands for the lines of a selection. */
const ofLines: Readonly<Record<string, Operator>> = { D: 'd', X: 'd', C: 'c', S: 'c', R: 'c', Y: 'y' }

interface OperatingSelected {
  readonly operator: Operator
  readonly stretch: Stretch
  readonly change: Repeatable
  readonly times: number
}

function operateSelected(prompt: Prompt, { operator, stretch, change, times }: OperatingSelected): Prompt {
  const { vim, cursor } = prompt
  // The cursor stays where it is at the upper end.
  const isAbove = stretch.isLines && vim !== undefined && cursor < vim.anchor
  const at = { cursor: isAbove ? cursor : stretch.start, times }
  const done = withVim(operate(prompt, operator, stretch, at), { mode: 'normal' })
  if (operator === 'c') return beginInsertion(done, { change, before: { ...prompt, cursor: at.cursor } })
  return operator === 'y' ? done : withVim(done, { change })
}

function doDeedSelected(
  prompt: Prompt,
  { name, character, count = 1 }: Extract<VimCommand, { readonly type: 'do' }>,
  stretch: Stretch,
  change: Repeatable,
): Prompt {
  const { text, vim } = prompt
  const { start, end, isLines } = stretch
  const operator = ofLines[name]
  if (operator !== undefined) {
    const lines = linesOf(text, start, Math.max(start, isLines ? end : end - 1))
    return operateSelected(prompt, { operator, stretch: lines, change, times: count })
  }
  if (vim === undefined) return prompt
  const normal = withVim(prompt, { mode: 'normal' })
  switch (name) {
    case 'p':
    case 'P': {
      const put = putOver(normal, stretch, vim.register, count)
      const kept = name === 'p' ? keepPart({ ...put, text, pastes: prompt.pastes }, stretch) : put
      return withVim({ ...put, kills: kept.kills }, { register: kept.vim?.register ?? vim.register, change })
    }
    case 'r': {
      const replaced = Array.from(text.slice(start, end), (one) => (one === '\n' ? one : character)).join('')
      const changed = text.slice(0, start) + replaced + text.slice(end)
      return withVim(changedTo(normal, { text: changed, cursor: start }), { change })
    }
    case 'J':
    case 'gJ': {
      const lines = text.slice(start, isLines ? end : Math.max(start, end - 1)).split('\n').length
      const joined = joinLines({ ...normal, cursor: start }, Math.max(2, lines), name === 'gJ')
      return joined === undefined ? { ...normal, cursor: start } : withVim(joined, { change })
    }
    case 'I':
    case 'A': {
      const last = text[end - 1] === '\n' && end > start ? end - 1 : end
      const at = name === 'I' ? startOfLine(text, start) : isLines ? endOfLine(text, end) : last
      const command = { type: 'do', name: 'i', character: '', count: undefined } as const
      const plain = { command, inserted: undefined, selected: undefined }
      return beginInsertion({ ...normal, cursor: at }, { change: plain, before: prompt })
    }
    default:
      return normal
  }
}

/** Selects a text object, or one more where some text is selected. */
export function selectObject(prompt: Prompt, target: TextObject, count: number): Prompt {
  const { vim, cursor, text } = prompt
  const now = selectionOf(prompt)
  if (vim === undefined || now === undefined) return prompt
  const isOne = vim.anchor === cursor
  const isWord = target.kind === 'w' || target.kind === 'W' || target.kind === 'p'
  const from = isOne || !isWord ? cursor : Math.min(now.end + (now.isLines ? 1 : 0), text.length)
  const found = objectAt(prompt, from, target, count)
  const isInside = found !== undefined && found.start >= now.start && found.end <= now.end && !isOne
  const wider = isInside && !isWord ? objectAt(prompt, from, target, count + 1) : found
  if (wider === undefined || wider.end <= wider.start) return prompt
  const anchor = isOne || !isWord ? wider.start : vim.anchor
  const last = lastIn(prompt, wider)
  return withVim(
    { ...prompt, cursor: last, last: undefined },
    wider.isLines ? { mode: 'visual_line', anchor } : { anchor },
  )
}

/** The index of the last character of a stretch. */
function lastIn(prompt: Prompt, { start, end, isLines }: Stretch): number {
  if (isLines) return Math.max(start, startOfLine(prompt.text, end))
  return Math.max(start, borderBeforeEnd(prompt, end))
}

function borderBeforeEnd(prompt: Prompt, end: number): number {
  return prompt.text[end - 1] === '\n' ? end - 1 : borderBefore(prompt, end)
}
