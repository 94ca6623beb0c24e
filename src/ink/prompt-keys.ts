import type { Action } from './keymap.ts'
import type { Key } from './keys.ts'
import { breakAtBackslash, editPrompt, isAtTop, type Prompt } from './prompt.ts'
import type { Screen } from './state.ts'

const nothing: Action = { type: 'nothing' }

/** Reads a key in the prompt: an edit, a submit, or taking back a queued message. */
export function readDraftKey(screen: Screen, key: Key): Action {
  const { prompt } = screen
  const name = key.type === 'press' ? key.name : ''
  if (name === 'enter') return readEnter(prompt)
  if (name === 'alt+up' || (name === 'up' && isAtTop(prompt))) {
    if (screen.queued.length > 0 || (screen.task?.later ?? []).length > 0) return { type: 'take_back' }
  }
  const edited = editPrompt(prompt, key)
  return edited === undefined ? nothing : { type: 'edit', prompt: edited }
}

function readEnter(prompt: Prompt): Action {
  const broken = breakAtBackslash(prompt)
  if (broken !== undefined) return { type: 'edit', prompt: broken }
  const { text, pastes } = prompt
  return text.trim() === '' ? nothing : { type: 'submit', written: { text, pastes } }
}
