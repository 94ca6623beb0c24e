import type { Action } from '../keys/action.ts'
import type { Binding } from '../keys/bindings.ts'
import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { editPrompt } from './editing.ts'
import { breakAtBackslash, isShell, type Prompt, promptMark } from './prompt.ts'
import { moveRow } from './prompt-rows.ts'
import { textColumns } from './prompt-view.ts'

const nothing: Action = { type: 'nothing' }

/** Whether a turn or a task runs. */
export function isBusy({ busySince, task }: Pick<Screen, 'busySince' | 'task'>): boolean {
  return busySince !== undefined || task !== undefined
}

/** Returns the meanings of a key at the prompt, the one to try first at the start. */
export function meaningsOf(screen: Screen, key: Key): Screen['bindings']['table'] {
  if (key.type === 'paste') return []
  const meanings = screen.bindings.byKey.get(key.type === 'press' ? key.name : key.text) ?? []
  return meanings.filter((one) => applies(one, screen))
}

function applies({ context }: Binding, screen: Screen): boolean {
  if (context === 'empty') return screen.prompt.text === ''
  if (context === 'busy') return isBusy(screen)
  return context !== 'search'
}

/** Reads a key in the prompt: an edit, a submit, or taking back a queued message. */
export function readDraftKey(screen: Screen, key: Key): Action {
  const { prompt, bindings, size } = screen
  const columns = textColumns(size.columns, promptMark)
  for (const { name } of meaningsOf(screen, key)) {
    if (name === 'send') return readEnter(prompt)
    if (name === 'queue') return readQueue(prompt)
    const isTaking = name === 'take_back' || (name === 'up' && moveRow(prompt, -1, columns) === undefined)
    if (isTaking && hasWaiting(screen)) return { type: 'take_back' }
  }
  const edited = editPrompt(prompt, key, { bindings, columns })
  if (edited === undefined || edited === prompt) return nothing
  const written = behindMark(edited)
  return key.type === 'paste'
    ? { type: 'paste', prompt: written, text: key.text }
    : { type: 'edit', prompt: written }
}

/** Whether a message waits that can be taken back. */
export function hasWaiting({ queued, task }: Screen): boolean {
  return queued.length > 0 || (task?.later ?? []).length > 0
}

/** The mark stands for the `!` of a shell command, so the cursor never stands before it. */
function behindMark(prompt: Prompt): Prompt {
  return isShell(prompt) && prompt.cursor === 0 ? { ...prompt, cursor: 1 } : prompt
}

function readQueue({ text, pastes }: Prompt): Action {
  return text.trim() === '' ? nothing : { type: 'submit_after', written: { text, pastes } }
}

function readEnter(prompt: Prompt): Action {
  const broken = breakAtBackslash(prompt)
  if (broken !== undefined) return { type: 'edit', prompt: broken }
  const { text, pastes } = prompt
  return text.trim() === '' ? nothing : { type: 'submit', written: { text, pastes } }
}
