import { borderBefore } from '../prompt/borders.ts'
import { adopted, part } from '../prompt/placeholders.ts'
import type { Prompt, PromptText } from '../prompt/prompt.ts'
import { startOfLine } from './lines-at.ts'
import type { Before, Insertion, Repeatable } from './vim.ts'
import { changedTo, withVim } from './vim-change.ts'

/** The way into an insert mode. */
export interface Beginning {
  readonly change: Repeatable
  readonly times?: number
  readonly opensLines?: boolean
  /** The draft before the command. */
  readonly before: Before
}

/** Begins the insert mode at the cursor. */
export function beginInsertion(
  prompt: Prompt,
  { change, before, times = 1, opensLines = false }: Beginning,
): Prompt {
  const { text, cursor } = prompt
  const { text: textBefore, cursor: cursorBefore, pastes, changes } = before
  const insertion = {
    change,
    times,
    opensLines,
    before: { text: textBefore, cursor: cursorBefore, pastes, changes },
    text,
    cursor,
  }
  return withVim({ ...prompt, last: undefined }, { mode: 'insert', pending: '', insertion })
}

/** Leaves the insert mode: all that was written in it becomes one change, which `.` makes again. */
export function leaveInsertion(prompt: Prompt): Prompt {
  const { vim } = prompt
  if (vim === undefined) return prompt
  const { insertion } = vim
  const ended = insertion === undefined ? prompt : endInsertion(prompt, insertion)
  const { text, cursor } = ended
  const at = cursor === startOfLine(text, cursor) ? cursor : borderBefore(ended, cursor)
  return withVim(
    { ...ended, cursor: at, last: undefined },
    { mode: 'normal', pending: '', insertion: undefined },
  )
}

function endInsertion(prompt: Prompt, insertion: Insertion): Prompt {
  const { change, times, opensLines, before } = insertion
  const inserted = insertedText(prompt, insertion)
  const { text, cursor } = prompt
  const isAtEnd = inserted !== undefined && cursor === insertion.cursor + inserted.text.length
  const more = isAtEnd && times > 1 ? `${opensLines ? '\n' : ''}${inserted.text}`.repeat(times - 1) : ''
  const written = {
    text: text.slice(0, cursor) + more + text.slice(cursor),
    cursor: cursor + more.length,
    pastes: prompt.pastes,
  }
  const known = inserted ?? { text: '', pastes: [] }
  return withVim(changedTo(prompt, written, before), { change: { ...change, inserted: known } })
}

/** Returns what was written where the insert mode began; `undefined` if the text around it was changed too. */
function insertedText(prompt: Prompt, { text, cursor }: Insertion): PromptText | undefined {
  const after = text.slice(cursor)
  const end = prompt.text.length - after.length
  const isPlain =
    end >= cursor && prompt.text.startsWith(text.slice(0, cursor)) && prompt.text.endsWith(after)
  return isPlain ? part(prompt, cursor, end) : undefined
}

/** Writes a text at the cursor, as it was written the last time. */
export function writeAgain(prompt: Prompt, inserted: PromptText): Prompt {
  const { text, cursor } = prompt
  const put = adopted(prompt.pastes, inserted)
  const pastes = put.pastes.length === prompt.pastes.length ? prompt.pastes : put.pastes
  return {
    ...prompt,
    text: text.slice(0, cursor) + put.text + text.slice(cursor),
    cursor: cursor + put.text.length,
    pastes,
  }
}
