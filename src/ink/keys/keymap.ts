import { readSecretKey } from '../choices/secret-entry.ts'
import { readCompletionKey } from '../completion/completion-keys.ts'
import { readPanelKey } from '../panel/panel-keys.ts'
import { readPickerKey } from '../picker/picker-keys.ts'
import { pageOf, pickerArea } from '../picker/picker-view.ts'
import { newSearch, readSearchKey } from '../prompt/history-search.ts'
import { insertText } from '../prompt/prompt.ts'
import { isBusy, meaningsOf, readDraftKey } from '../prompt/prompt-keys.ts'
import { readAskedKey } from '../question/asked-keys.ts'
import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { readViewKey } from '../view/view-keys.ts'
import { readVimKey } from '../vim/vim-prompt-keys.ts'
import type { Action } from './action.ts'
import type { ActionName } from './bindings.ts'

/** Time in ms within which a second Ctrl+C at an idle, empty prompt quits. */
export const quitWindow = 1_000
/** Time in ms within which a second Esc there goes back. */
const rewindWindow = 500

/** Maps a key to an action by what the screen shows. Pure; `now` is monotonic. Throws what `readQuestionKey` throws. */
export function readKey(screen: Screen, key: Key, now: number): Action {
  const name = key.type === 'press' ? key.name : ''
  const { prompt, questions, picker, secret, panel, search, view, bindings } = screen
  const [question] = questions
  const isListOpen = [picker, secret, panel, view].some((one) => one !== undefined)
  if (name === 'ctrl+z' && (question !== undefined || isListOpen)) return { type: 'suspend' }
  const means = (action: ActionName) => bindings.byKey.get(name)?.some((one) => one.name === action) === true
  if (means('redraw') && (question !== undefined || search !== undefined || isListOpen))
    return { type: 'redraw' }
  if (view !== undefined) return readViewKey(view, screen.size, key)
  if (question !== undefined && means('open_output')) return { type: 'open_output' }
  if (question !== undefined && means('thoughts')) return { type: 'toggle_thoughts' }
  if (name === 'ctrl+c' && question !== undefined) return readCtrlC(screen, now)
  if (question !== undefined) return readAskedKey(screen, question, key, now)
  if (picker !== undefined) return readPickerKey(picker, pageOf(picker, pickerArea(screen)), key)
  if (secret !== undefined) return readSecretKey(secret, key)
  if (panel !== undefined) return readPanelKey(screen, panel, key)
  if (search !== undefined) return readSearchKey(prompt, search, key, bindings)
  const completed = readCompletionKey(screen, key)
  if (completed !== undefined) return completed
  return readPromptKey(screen, key, now)
}

/** Reads a key at the prompt by the meanings that the user gave it. */
function readPromptKey(screen: Screen, key: Key, now: number): Action {
  const commanded = readVimKey(screen, key)
  if (commanded !== undefined) return commanded
  const [meaning] = meaningsOf(screen, key)
  const act = meaning && actions[meaning.name]
  if (act !== undefined) return act(screen, now)
  // Keys that send or edit the draft mean the same beside a question.
  return meaning === undefined ? readUnbound(screen, key, now) : readDraftKey(screen, key)
}

const actions: Partial<Record<ActionName, (screen: Screen, now: number) => Action>> = {
  interrupt: () => ({ type: 'interrupt' }),
  rewind: () => ({ type: 'rewind' }),
  mode: () => ({ type: 'cycle_mode' }),
  next_model: () => ({ type: 'next_model' }),
  clear: readCtrlC,
  quit: () => ({ type: 'quit' }),
  suspend: () => ({ type: 'suspend' }),
  redraw: () => ({ type: 'redraw' }),
  help: ({ showsKeys }) => ({ type: 'show_keys', isShown: !showsKeys }),
  shell: ({ prompt }) => ({ type: 'edit', prompt: insertText(prompt, '!') }),
  open_output: () => ({ type: 'open_output' }),
  thoughts: () => ({ type: 'toggle_thoughts' }),
  complete: () => ({ type: 'complete' }),
  history_search: () => ({ type: 'search', search: newSearch }),
  paste_image: () => ({ type: 'paste_image' }),
  edit_outside: () => ({ type: 'edit_outside' }),
}

/** Reads text, or a key that means something when pressed twice, such as Esc at an idle, empty prompt. */
function readUnbound(screen: Screen, key: Key, now: number): Action {
  const { bindings, prompt, escapedAt } = screen
  const name = key.type === 'press' ? key.name : ''
  const [meaning] = bindings.byKey.get(`${name} ${name}`) ?? []
  const act = meaning && actions[meaning.name]
  if (act === undefined || prompt.text !== '' || isBusy(screen)) return readDraftKey(screen, key)
  const isSecond = escapedAt !== undefined && now - escapedAt < rewindWindow
  return isSecond ? act(screen, now) : { type: 'escape' }
}

/**
 * Clears the text, else stops what runs, else asks to confirm quitting. One press never does two of these. What a server runs is not
 * stopped: who leaves it may want it to go on.
 */
function readCtrlC({ prompt, questions, quitAsked, status, ...screen }: Screen, now: number): Action {
  const [question] = questions
  if (question?.words !== undefined && question.words.text !== '') {
    return { type: 'consider', question: { ...question, words: { ...question.words, text: '', cursor: 0 } } }
  }
  if (prompt.text !== '') return { type: 'clear' }
  const isOurs = status.server === undefined
  if (isOurs && (question !== undefined || isBusy(screen))) return { type: 'interrupt' }
  if (quitAsked !== undefined && now - quitAsked < quitWindow) return { type: 'quit' }
  return { type: 'ask_quit' }
}
