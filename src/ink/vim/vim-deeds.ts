import { borderAfter } from '../prompt/borders.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { redo, undo } from '../prompt/prompt-undo.ts'
import { endOfLine, firstNonBlank, startOfLine, stepInLine } from './lines-at.ts'
import type { Repeatable } from './vim.ts'
import { changedTo, withVim } from './vim-change.ts'
import type { VimCommand } from './vim-command.ts'
import { beginInsertion } from './vim-insertion.ts'
import { inCase, joinLines } from './vim-operators.ts'
import { putRegister } from './vim-put.ts'

type Deed = Extract<VimCommand, { readonly type: 'do' }>

/** Does a command of the normal mode that has no motion. `undefined`: it cannot be done here. */
export function doDeed(prompt: Prompt, deed: Deed): Prompt | undefined {
  return insertDeed(prompt, deed) ?? textDeed(prompt, deed)
}

/** The commands that begin the insert mode, by the place where they begin it. */
const places: Readonly<Record<string, (prompt: Prompt) => number>> = {
  i: ({ cursor }) => cursor,
  I: (prompt) => firstInk(prompt),
  a: (prompt) => stepInLine(prompt, prompt.cursor, 1, true),
  A: ({ text, cursor }) => endOfLine(text, cursor),
  o: ({ text, cursor }) => endOfLine(text, cursor),
  O: ({ text, cursor }) => startOfLine(text, cursor),
}

/** The first character of the line that is no blank, or behind its blanks. */
function firstInk(prompt: Prompt): number {
  const { text, cursor } = prompt
  const line = text.slice(startOfLine(text, cursor), endOfLine(text, cursor))
  return /^[ \t]*$/.test(line) ? endOfLine(text, cursor) : firstNonBlank(prompt, cursor)
}

function insertDeed(prompt: Prompt, deed: Deed): Prompt | undefined {
  const place = places[deed.name]
  if (place === undefined) return undefined
  const at = place(prompt)
  const change: Repeatable = { command: deed, inserted: undefined, selected: undefined }
  const opensLines = deed.name === 'o' || deed.name === 'O'
  const { text } = prompt
  const placed = opensLines
    ? changedTo(prompt, {
        text: `${text.slice(0, at)}\n${text.slice(at)}`,
        cursor: deed.name === 'o' ? at + 1 : at,
      })
    : { ...prompt, cursor: at }
  const before = opensLines ? prompt : placed
  const beginning = { change, times: deed.count ?? 1, opensLines, before }
  return beginInsertion(placed, beginning)
}

function textDeed(prompt: Prompt, { name, character, count = 1 }: Deed): Prompt | undefined {
  const { vim, cursor, text } = prompt
  if (vim === undefined) return undefined
  switch (name) {
    case 'p':
    case 'P':
      return putRegister(prompt, vim.register, name === 'P', count)
    case 'r':
      return replaceCharacters(prompt, character, count)
    case '~': {
      const end = stepInLine(prompt, cursor, count, true)
      const changed = text.slice(0, cursor) + inCase(text.slice(cursor, end), 'g~') + text.slice(end)
      return end === cursor ? undefined : changedTo(prompt, { text: changed, cursor: end })
    }
    case 'J':
    case 'gJ':
      return joinLines(prompt, count, name === 'gJ')
    case 'u':
      return times(prompt, count, undo)
    case 'v':
    case 'V':
      return withVim(prompt, { mode: name === 'v' ? 'visual' : 'visual_line', anchor: cursor })
    default:
      return undefined
  }
}

/** Replaces characters of the line; not if there are fewer. */
function replaceCharacters(prompt: Prompt, character: string, count: number): Prompt | undefined {
  const { text, cursor } = prompt
  let end = cursor
  for (let left = count; left > 0; left--) {
    if (end >= endOfLine(text, cursor)) return undefined
    end = borderAfter(prompt, end)
  }
  const added = character.repeat(count)
  return changedTo(prompt, {
    text: text.slice(0, cursor) + added + text.slice(end),
    cursor: cursor + added.length - character.length,
  })
}

function times(prompt: Prompt, count: number, act: (prompt: Prompt) => Prompt): Prompt {
  let done = prompt
  for (let left = count; left > 0; left--) {
    const next = act(done)
    if (next === done) break
    done = next
  }
  return done
}

/** Makes undone changes again. The cursor stands where they began. */
export function redoChanges(prompt: Prompt, count: number): Prompt {
  return times(prompt, count, (one) => {
    const change = one.changes.undone.at(-1)
    return change === undefined ? one : { ...redo(one), cursor: change.cursor }
  })
}
