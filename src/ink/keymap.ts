import type { InteractionResponse } from '../interaction.ts'
import { readAskedKey } from './asked-keys.ts'
import type { Key } from './keys.ts'
import { type PanelAction, readPanelKey } from './panel/panel-keys.ts'
import { type PickerAction, readPickerKey } from './picker.ts'
import { pageOf, pickerArea } from './picker-view.ts'
import type { Prompt, Written } from './prompt.ts'
import { readDraftKey } from './prompt-keys.ts'
import type { Question } from './question.ts'
import type { Screen } from './state.ts'

/** The action that a key triggers in its context. */
export type Action =
  | PickerAction
  | PanelAction
  | { readonly type: 'edit'; readonly prompt: Prompt }
  | { readonly type: 'submit'; readonly written: Written }
  /** Moves the newest waiting message back into the prompt. */
  | { readonly type: 'take_back' }
  | { readonly type: 'answer'; readonly response: InteractionResponse }
  /** Updates the open question without answering it. */
  | { readonly type: 'consider'; readonly question: Question }
  | { readonly type: 'interrupt' }
  | { readonly type: 'cycle_mode' }
  /** Empties the prompt. */
  | { readonly type: 'clear' }
  | { readonly type: 'ask_quit' }
  | { readonly type: 'quit' }
  /** Suspends the process. */
  | { readonly type: 'suspend' }
  /** The first Esc of two. */
  | { readonly type: 'escape' }
  /** Lists messages to go back to. */
  | { readonly type: 'rewind' }

/** Time in ms within which a second Ctrl+C at an idle, empty prompt quits. */
export const quitWindow = 1_000
/** Time in ms within which a second Esc there goes back. */
const rewindWindow = 500

const nothing: Action = { type: 'nothing' }

/** Maps a key to an action by what the screen shows. Pure; `now` is monotonic. Throws what `readQuestionKey` throws. */
export function readKey(screen: Screen, key: Key, now: number): Action {
  const name = key.type === 'press' ? key.name : ''
  const { prompt, questions, picker, panel } = screen
  const [question] = questions
  const isListOpen = picker !== undefined || panel !== undefined
  if (name === 'ctrl+z') return { type: 'suspend' }
  if (name === 'ctrl+c' && (question !== undefined || !isListOpen)) return readCtrlC(screen, now)
  if (question !== undefined) return readAskedKey(screen, question, key, now)
  if (picker !== undefined) return readPickerKey(picker, pageOf(picker, pickerArea(screen)), key)
  if (panel !== undefined) return readPanelKey(screen, panel, key)
  if (name === 'esc') return isBusy(screen) ? { type: 'interrupt' } : readEscape(screen, now)
  if (name === 'shift+tab') return { type: 'cycle_mode' }
  if (name === 'ctrl+d' && prompt.text === '') return { type: 'quit' }
  return readDraftKey(screen, key)
}

function readEscape({ prompt, escapedAt }: Screen, now: number): Action {
  if (prompt.text !== '') return nothing
  const isSecond = escapedAt !== undefined && now - escapedAt < rewindWindow
  return isSecond ? { type: 'rewind' } : { type: 'escape' }
}

/** Clears the text, else stops what runs, else asks to confirm quitting. One press never does two of these. */
function readCtrlC({ prompt, questions, quitAsked, ...screen }: Screen, now: number): Action {
  const [question] = questions
  if (question?.words !== undefined && question.words.text !== '') {
    return { type: 'consider', question: { ...question, words: { ...question.words, text: '', cursor: 0 } } }
  }
  if (prompt.text !== '') return { type: 'clear' }
  if (question !== undefined || isBusy(screen)) return { type: 'interrupt' }
  if (quitAsked !== undefined && now - quitAsked < quitWindow) return { type: 'quit' }
  return { type: 'ask_quit' }
}

function isBusy({ busySince, task }: Pick<Screen, 'busySince' | 'task'>): boolean {
  return busySince !== undefined || task !== undefined
}
