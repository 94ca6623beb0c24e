import type { InteractionResponse } from '../interaction.ts'
import { answerable, isDraftInTheWay, isHasty } from './attention.ts'
import type { Key } from './keys.ts'
import { breakAtBackslash, editPrompt, type Prompt, promptText } from './prompt.ts'
import type { Question } from './question.ts'
import { readQuestionKey } from './question-keys.ts'
import type { Screen } from './state.ts'

/** What a key means where it was pressed. */
export type Action =
  | { readonly type: 'edit'; readonly prompt: Prompt }
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'answer'; readonly response: InteractionResponse }
  /** The question is not answered yet, but something in it moved. */
  | { readonly type: 'consider'; readonly question: Question }
  | { readonly type: 'interrupt' }
  | { readonly type: 'cycle_mode' }
  | { readonly type: 'ask_quit' }
  | { readonly type: 'quit' }
  /** Stops the program as a shell does it. */
  | { readonly type: 'suspend' }
  | { readonly type: 'nothing' }

/** Ctrl+C, pressed again within this many milliseconds quits. */
export const quitWindow = 1_000

const nothing: Action = { type: 'nothing' }

/** Reads a key by what the screen shows. Pure; `now` is of the monotonic clock. Throws what `readQuestionKey` throws. */
export function readKey(screen: Screen, key: Key, now: number): Action {
  const name = key.type === 'press' ? key.name : ''
  const { prompt, questions } = screen
  if (name === 'ctrl+c') return readInterrupt(screen, now)
  if (name === 'ctrl+z') return { type: 'suspend' }
  const question = answerable(screen, now)
  if (question !== undefined) {
    const isUnclear = name === 'enter' && isDraftInTheWay(screen, question)
    const answer = isUnclear ? nothing : readQuestionKey(question, screen.size, key)
    // What is written and answers nothing is a draft: an Enter behind it is not meant for the question.
    return answer.type === 'nothing' && key.type !== 'press' && isBusy(screen) ? draft(prompt, key) : answer
  }
  const isAsked = questions.length > 0
  if (name === 'esc') return isBusy(screen) || isAsked ? { type: 'interrupt' } : nothing
  // Before a turn, a question is about what stands in the prompt.
  if (isAsked && !isBusy(screen)) return nothing
  if (name === 'shift+tab') return isAsked ? nothing : { type: 'cycle_mode' }
  if (name === 'ctrl+d' && prompt.text === '') return isAsked ? nothing : { type: 'quit' }
  if (name === 'enter') return isHasty(screen) ? nothing : readEnter(prompt)
  return draft(prompt, key)
}

function draft(prompt: Prompt, key: Key): Action {
  const edited = editPrompt(prompt, key)
  return edited === undefined ? nothing : { type: 'edit', prompt: edited }
}

function isBusy({ busySince, errand }: Screen): boolean {
  return busySince !== undefined || errand !== undefined
}

/** Clears what is written; with nothing written it stops what runs, and where nothing does it asks whether to quit. */
function readInterrupt(screen: Screen, now: number): Action {
  const { prompt, quitAsked } = screen
  if (quitAsked !== undefined && now - quitAsked < quitWindow) return { type: 'quit' }
  if (prompt.text === '' && isBusy(screen)) return { type: 'interrupt' }
  return { type: 'ask_quit' }
}

function readEnter(prompt: Prompt): Action {
  const broken = breakAtBackslash(prompt)
  if (broken !== undefined) return { type: 'edit', prompt: broken }
  const text = promptText(prompt)
  return text.trim() === '' ? nothing : { type: 'submit', text }
}
