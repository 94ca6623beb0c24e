import { addChange, detached } from '../prompt/changes.ts'
import { addKill } from '../prompt/kill-ring.ts'
import { part } from '../prompt/placeholders.ts'
import type { Paste, Prompt } from '../prompt/prompt.ts'
import { onCharacter, type Stretch } from './lines-at.ts'
import { type Before, isCommanding, isVisual, newVim, type Vim } from './vim.ts'

/** A text with its cursor after a change. */
export interface Changed {
  readonly text: string
  readonly cursor: number
  /** Default: as they were. */
  readonly pastes?: readonly Paste[]
}

/** Returns a prompt with another text, as one change that goes back to `before`. */
export function changedTo(
  prompt: Prompt,
  { text, cursor, pastes = prompt.pastes }: Changed,
  before: Before = prompt,
): Prompt {
  const after = { ...prompt, text, cursor, pastes, last: undefined }
  if (text === before.text) return { ...after, changes: before.changes }
  const change = { ...difference(before.text, text), cursor: before.cursor }
  const isSame = pastes === before.pastes
  const whole = isSame ? change : { ...change, pastes: { before: before.pastes, after: pastes } }
  return { ...after, changes: addChange(before.changes, whole, false) }
}

/** Returns the part in which two texts differ. */
function difference(before: string, after: string) {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  let same = 0
  while (
    same < most - at &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++
  return {
    at,
    removed: detached(before.slice(at, before.length - same)),
    added: detached(after.slice(at, after.length - same)),
  }
}

/** Changes the state of vim keys. */
export function withVim(prompt: Prompt, change: Partial<Vim>): Prompt {
  const { vim } = prompt
  return vim === undefined ? prompt : { ...prompt, vim: { ...vim, ...change } }
}

/** Gives a prompt the keys of vim, or its usual ones. */
export function withEditor({ vim: _, ...prompt }: Prompt, isVim: boolean): Prompt {
  return isVim ? { ...prompt, vim: newVim } : prompt
}

/** Keeps a part of the text, to be put elsewhere. Ctrl+Y in the insert mode puts it back too. */
export function keepPart(prompt: Prompt, { start, end, isLines }: Stretch): Prompt {
  const taken = part(prompt, start, end)
  const kills = taken.text === '' ? prompt.kills : addKill(prompt.kills, taken, 'after', false)
  return withVim({ ...prompt, kills }, { register: { ...taken, isLines } })
}

/** Puts the cursor on a character, where keys are commands; a selection may reach behind the last one of a line. */
export function settledPrompt(prompt: Prompt): Prompt {
  const { vim, text, cursor } = prompt
  if (!isCommanding(vim)) return prompt
  const anchor = Math.min(vim.anchor, text.length)
  const held = anchor === vim.anchor ? prompt : withVim(prompt, { anchor })
  if (isVisual(vim)) return held
  const settled = onCharacter(prompt, cursor)
  return settled === cursor ? held : { ...held, cursor: settled }
}
