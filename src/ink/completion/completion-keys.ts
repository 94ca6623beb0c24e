import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { type Completion, moveCompletion, shownCompletion } from './completion.ts'

export type CompletionAction =
  /** Puts the focused item into the draft. */
  | { readonly type: 'take_completion'; readonly completion: Completion }
  /** The list was moved in. */
  | { readonly type: 'change_completion'; readonly completion: Completion }
  /** Closes the list until another word is written. */
  | { readonly type: 'close_completion' }
  /** Opens the list for the word at the cursor. */
  | { readonly type: 'complete' }

const moves: Readonly<Record<string, number>> = { up: -1, down: 1, 'ctrl+p': -1, 'ctrl+n': 1 }

/** Reads a key while a list of completions is shown; `undefined` for a key that is not about the list. */
export function readCompletionKey(screen: Screen, key: Key): CompletionAction | undefined {
  const completion = key.type === 'press' ? shownCompletion(screen) : undefined
  if (completion === undefined || key.type !== 'press') return undefined
  const by = moves[key.name]
  if (by !== undefined) return { type: 'change_completion', completion: moveCompletion(completion, by) }
  if (key.name === 'esc') return { type: 'close_completion' }
  const isTaken =
    key.name === 'tab' || (key.name === 'enter' && (completion.isMoved || !completion.isComplete))
  return isTaken ? { type: 'take_completion', completion } : undefined
}
