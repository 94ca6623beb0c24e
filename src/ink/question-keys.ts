import { localUser } from '../actor.ts'
import { type InteractionResponse, validateResponse } from '../interaction.ts'
import { present } from '../present.ts'
import type { Action } from './keymap.ts'
import type { Key } from './keys.ts'
import { editPrompt, emptyPrompt, type Prompt, promptText } from './prompt.ts'
import {
  asked,
  enterIndex,
  isPermission,
  letterOf,
  openPart,
  type Question,
  takesWords,
  viewQuestion,
} from './question.ts'
import type { Size } from './state.ts'

const nothing: Action = { type: 'nothing' }

/** What a key means to a question. Throws `invalid` for an answer to one of several that does not fit. */
export function readQuestionKey(question: Question, size: Size, key: Key): Action {
  if (question.words !== undefined) return readWords(question, question.words, key)
  if (key.type === 'paste') return nothing
  if (key.type === 'text') return readLetter(question, key.text.toLowerCase())
  switch (key.name) {
    case 'esc':
      return { type: 'interrupt' }
    case 'ctrl+d':
      return decline(question)
    case 'enter':
      return choose(question, asked(question).options?.[enterIndex(question, size)]?.id)
    default:
      return move(question, size, key.name)
  }
}

function readLetter(question: Question, letter: string): Action {
  const interaction = asked(question)
  if (letter === 'w' && takesWords(interaction)) return consider({ ...question, words: emptyPrompt })
  const chosen = interaction.options?.find(
    (option, i) => letter === String(i + 1) || letter === letterOf(option),
  )
  return chosen === undefined ? nothing : choose(question, chosen.id)
}

/** The arrows lead from option to option; where something is to be allowed, first to the end of what that is. */
function move(question: Question, size: Size, name: string): Action {
  const interaction = asked(question)
  const { options = [] } = interaction
  const { offset, height, body, isEndShown } = viewQuestion(question, size)
  const by = name === 'up' ? -1 : name === 'down' ? 1 : 0
  const marked = enterIndex(question, size)
  const leadsBack = by < 0 && marked === 0 && offset > 0
  if (by !== 0 && (!isPermission(interaction) || (isEndShown && !leadsBack))) {
    return consider({ ...question, marked: (marked + by + options.length) % options.length })
  }
  const step = steps[name]
  if (step === undefined) return nothing
  const last = Math.max(0, body.length - height)
  const to = Math.min(last, Math.max(0, offset + step(height, last)))
  return consider({
    ...question,
    offset: to,
    marked: isPermission(interaction) ? undefined : question.marked,
  })
}

const steps: Readonly<Record<string, (height: number, last: number) => number>> = {
  up: () => -1,
  down: () => 1,
  pageup: (height) => -height,
  pagedown: (height) => height,
  home: (_, last) => -last,
  end: (_, last) => last,
}

/** What is written is the answer; where something is to be allowed, the reason for a no. */
function readWords(question: Question, words: Prompt, key: Key): Action {
  const interaction = asked(question)
  const name = key.type === 'press' ? key.name : ''
  const text = promptText(words).trim()
  if (name === 'esc') {
    const isChoice = (interaction.options ?? []).length > 0
    return isChoice ? consider({ ...question, words: undefined }) : { type: 'interrupt' }
  }
  if (name === 'ctrl+d' && words.text === '') return decline(question)
  if (name === 'enter') {
    const said = text === '' ? undefined : text
    if (isPermission(interaction)) return choose(question, cautious(question), said)
    if (said === undefined && interaction.validation?.required === true) return nothing
    return give(question, present({ inputValue: said }))
  }
  const edited = editPrompt(words, key)
  return edited === undefined ? nothing : consider({ ...question, words: edited })
}

/** The option that a no stands for. */
function cautious(question: Question): string | undefined {
  const { options = [] } = asked(question)
  return (options.find(({ isDefault }) => isDefault === true) ?? options.at(-1))?.id
}

function choose(question: Question, selectedOptionId: string | undefined, comment?: string): Action {
  return give(question, present({ selectedOptionId, comment }))
}

function consider(question: Question): Action {
  return { type: 'consider', question }
}

const answeredBy = localUser

type Said = Pick<InteractionResponse, 'selectedOptionId' | 'inputValue' | 'comment'>

/** The answer to the question; to one of several parts it leads to the next, and the last gives them all. */
function give(question: Question, said: Said): Action {
  const { interaction, shownAt } = question
  const part = asked(question)
  const response: InteractionResponse = { interactionId: part.id, answeredBy, ...said }
  if (interaction.parts === undefined) return { type: 'answer', response }
  validateResponse(part, response)
  const answers = [...question.answers, response]
  if (answers.length < interaction.parts.length) return consider(openPart({ interaction, answers, shownAt }))
  return { type: 'answer', response: { interactionId: interaction.id, answeredBy, parts: answers } }
}

/** The person leaves the question open. */
function decline({ interaction: { id } }: Question): Action {
  return { type: 'answer', response: { interactionId: id, answeredBy, cancelled: true } }
}
