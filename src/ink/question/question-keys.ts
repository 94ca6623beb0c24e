import { localUser } from '../../actor.ts'
import { cautiousOption } from '../../frontend/words/choice-words.ts'
import { type InteractionResponse, validateResponse } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Action } from '../keys/action.ts'
import { editPrompt } from '../prompt/editing.ts'
import { emptyPrompt, type Prompt, sentText } from '../prompt/prompt.ts'
import type { Size } from '../state.ts'
import type { Key } from '../tty/key.ts'
import {
  askAgain,
  asked,
  confirmAnswer,
  isAllowing,
  isBesideChoices,
  openPart,
  type Question,
} from './asked-question.ts'
import { choiceOfKey, choicesOf, isPermission } from './choice.ts'
import { moveAmong } from './choice-rows.ts'
import { focusOf, isUnderstood, viewQuestion } from './question-view.ts'

const nothing: Action = { type: 'nothing' }

/** Reads a key as an answer to an armed question. Throws `invalid` if the answer to one of several parts is not valid. */
export function readQuestionKey(question: Question, area: Size, key: Key): Action {
  if (question.words !== undefined) return readWords(question, question.words, key)
  if (key.type === 'paste') return nothing
  if (key.type === 'text') return take(question, area, choiceFor(question, key.text))
  switch (key.name) {
    case 'esc':
      return question.confirming === undefined ? { type: 'interrupt' } : leave(question.confirming.back)
    case 'ctrl+d':
      return decline(question)
    case 'enter':
      return take(question, area, focusOf(question))
    default:
      return moveQuestion(question, area, key.name)
  }
}

/** Returns the index of the choice that this text selects, else -1. */
export function choiceFor(question: Question, text: string): number {
  return choiceOfKey(choicesOf(asked(question)), text)
}

/** Goes back to a question that was left to confirm an answer. */
export function leave(back: Question): Action {
  return consider(askAgain(back))
}

/** Handles keys that do not answer: arrows move the focus only, other keys scroll only. */
export function moveQuestion(question: Question, area: Size, name: string): Action {
  if (name !== 'up' && name !== 'down') return scrollQuestion(question, area, name)
  const { choices, choiceCount } = viewQuestion(question, area)
  const to = moveAmong(choices, focusOf(question), name)
  // A focus that is not visible does not move.
  return consider(to !== undefined && choiceCount > 0 ? { ...question, focused: to } : question)
}

/** Scrolls the body of the question. */
export function scrollQuestion(question: Question, area: Size, name: string): Action {
  const { offset, height, body } = viewQuestion(question, area)
  const last = Math.max(0, body.length - height)
  const step = steps[name]
  if (step === undefined || question.words !== undefined) return nothing
  return consider({ ...question, offset: Math.min(last, Math.max(0, offset + step(height, last))) })
}

const steps: Readonly<Record<string, (height: number, last: number) => number>> = {
  pageup: (height) => -height,
  pagedown: (height) => height,
  home: (_, last) => -last,
  end: (_, last) => last,
}

/** Selects a choice. Refuses one that allows something until all of the content was shown and the choice is visible. */
function take(question: Question, area: Size, index: number): Action {
  const interaction = asked(question)
  const choice = choicesOf(interaction)[index]
  if (choice === undefined) return nothing
  if (choice.isWithheld === true) return consider(question)
  if (choice.isEdit === true) return { type: 'revise' }
  if (choice.option === undefined) return consider({ ...question, words: emptyPrompt })
  if (isAllowing(interaction, choice) && !isUnderstood(question, area, index)) return consider(question, true)
  const { confirming } = question
  if (confirming !== undefined)
    return choice.option.id === 'yes' ? choose(question, confirming.option.id) : leave(confirming.back)
  if (choice.option.confirm !== undefined) return consider(confirmAnswer(question, choice.option))
  return choose(question, choice.option.id)
}

/** Reads a key of an answer in words. For a permission, the words are the reason for a no. */
function readWords(question: Question, words: Prompt, key: Key): Action {
  const interaction = asked(question)
  const name = key.type === 'press' ? key.name : ''
  const text = sentText(words).trim()
  if (name === 'esc') {
    return isBesideChoices(question) ? consider({ ...question, words: undefined }) : { type: 'interrupt' }
  }
  if (name === 'ctrl+d' && words.text === '') return decline(question)
  if (name === 'enter') {
    const fields = text === '' ? undefined : text
    if (isPermission(interaction)) return choose(question, cautiousOption(interaction)?.id, fields)
    if (fields === undefined && interaction.validation?.required === true) return nothing
    return give(question, omitUndefined({ inputValue: fields }))
  }
  const edited = editPrompt(words, key)
  return edited === undefined ? nothing : consider({ ...question, words: edited })
}

function choose(question: Question, selectedOptionId: string | undefined, comment?: string): Action {
  return give(question, omitUndefined({ selectedOptionId, comment }))
}

function consider(question: Question, isRefused = false): Action {
  return { type: 'consider', question: { ...question, isRefused } }
}

const answeredBy = localUser

type AnswerFields = Pick<InteractionResponse, 'selectedOptionId' | 'inputValue' | 'comment'>

/** Answers the question. Of several parts, each answer opens the next part and the last one sends all of them. */
function give(question: Question, fields: AnswerFields): Action {
  const { interaction, asker } = question
  const part = interaction.parts?.[question.answers.length] ?? interaction
  const response: InteractionResponse = { interactionId: part.id, answeredBy, ...fields }
  if (interaction.parts === undefined) return { type: 'answer', response }
  validateResponse(part, response)
  const answers = [...question.answers, response]
  if (answers.length < interaction.parts.length) return consider(openPart({ interaction, answers, asker }))
  return { type: 'answer', response: { interactionId: interaction.id, answeredBy, parts: answers } }
}

/** Cancels the question. */
function decline({ interaction: { id } }: Question): Action {
  return { type: 'answer', response: { interactionId: id, answeredBy, cancelled: true } }
}
