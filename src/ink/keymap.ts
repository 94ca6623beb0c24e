import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { present } from '../present.ts'
import type { Key } from './keys.ts'
import { breakAtBackslash, editPrompt, emptyPrompt, type Prompt, promptText } from './prompt.ts'
import { enterOption, letterOf, viewQuestion } from './question.ts'
import type { Question, Screen } from './state.ts'

/** What a key means where it was pressed. */
export type Action =
  | { readonly type: 'edit'; readonly prompt: Prompt }
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'answer'; readonly response: InteractionResponse }
  | { readonly type: 'explain'; readonly reason: Prompt | undefined }
  | { readonly type: 'scroll'; readonly offset: number }
  | { readonly type: 'interrupt' }
  | { readonly type: 'cycle_mode' }
  | { readonly type: 'ask_quit' }
  | { readonly type: 'quit' }
  | { readonly type: 'nothing' }

/** Ctrl+C, pressed again within this many milliseconds quits. */
export const quitWindow = 1_000
/** Somebody who wrote this many milliseconds ago still writes: letters are not taken for an answer. */
const writingPause = 500

const nothing: Action = { type: 'nothing' }

/** Reads a key by what the screen shows. Pure; `now` is of the monotonic clock. */
export function readKey(screen: Screen, key: Key, now: number): Action {
  const name = key.type === 'press' ? key.name : ''
  const { prompt, questions, busySince } = screen
  if (name === 'ctrl+c') return readInterrupt(screen, now)
  const [question] = questions
  if (question !== undefined) {
    if (question.reason !== undefined) return readExplanation(question.interaction, question.reason, key)
    const writing = screen.typedAt !== undefined && now - screen.typedAt < writingPause
    if (!writing) return readAnswer(question, screen, key)
  }
  if (name === 'esc') return busySince === undefined ? nothing : { type: 'interrupt' }
  if (name === 'shift+tab') return { type: 'cycle_mode' }
  if (name === 'ctrl+d' && prompt.text === '') return { type: 'quit' }
  if (name === 'enter') return readEnter(prompt)
  const edited = editPrompt(prompt, key)
  return edited === undefined ? nothing : { type: 'edit', prompt: edited }
}

/** Clears what is written; with nothing written it stops the turn, and without a turn it asks whether to quit. */
function readInterrupt({ prompt, busySince, quitAsked }: Screen, now: number): Action {
  if (quitAsked !== undefined && now - quitAsked < quitWindow) return { type: 'quit' }
  if (prompt.text === '' && busySince !== undefined) return { type: 'interrupt' }
  return { type: 'ask_quit' }
}

function readEnter(prompt: Prompt): Action {
  const broken = breakAtBackslash(prompt)
  if (broken !== undefined) return { type: 'edit', prompt: broken }
  const text = promptText(prompt)
  return text.trim() === '' ? nothing : { type: 'submit', text }
}

function readAnswer(question: Question, screen: Screen, key: Key): Action {
  const { interaction } = question
  const options = interaction.options ?? []
  if (key.type === 'paste') return nothing
  if (key.type === 'press') {
    if (key.name === 'esc') return { type: 'interrupt' }
    if (key.name === 'enter') return answer(interaction, enterOption(question, screen.size))
    const step = steps[key.name]
    if (step === undefined) return nothing
    const { offset, height, body } = viewQuestion(question, screen.size)
    const last = Math.max(0, body.length - height)
    return { type: 'scroll', offset: Math.min(last, Math.max(0, offset + step(height, last))) }
  }
  const letter = key.text.toLowerCase()
  if (letter === 'w') return { type: 'explain', reason: emptyPrompt }
  const chosen = options.find((option, i) => letter === String(i + 1) || letter === letterOf(option))
  return chosen === undefined ? nothing : answer(interaction, chosen)
}

const steps: Readonly<Record<string, (height: number, last: number) => number>> = {
  up: () => -1,
  down: () => 1,
  pageup: (height) => -height,
  pagedown: (height) => height,
  home: (_, last) => -last,
  end: (_, last) => last,
}

/** What is written now is the reason for a no. */
function readExplanation(interaction: Interaction, reason: Prompt, key: Key): Action {
  if (key.type === 'press' && key.name === 'esc') return { type: 'explain', reason: undefined }
  if (key.type === 'press' && key.name === 'enter') {
    const comment = promptText(reason).trim()
    return answer(interaction, cautious(interaction.options ?? []), comment === '' ? undefined : comment)
  }
  const edited = editPrompt(reason, key)
  return edited === undefined ? nothing : { type: 'explain', reason: edited }
}

function cautious(options: readonly InteractionOption[]): InteractionOption | undefined {
  return options.find(({ isDefault }) => isDefault === true) ?? options.at(-1)
}

function answer({ id }: Interaction, option: InteractionOption | undefined, comment?: string): Action {
  const chosen = present({ selectedOptionId: option?.id, comment })
  return { type: 'answer', response: { interactionId: id, answeredBy: 'user_local', ...chosen } }
}
