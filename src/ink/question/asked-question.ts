import { cautiousOption, isGranting } from '../../frontend/words/choice-words.ts'
import type { TaskId } from '../../id.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../../interaction.ts'
import { emptyPrompt, type Prompt } from '../prompt/prompt.ts'
import { type Arming, unseen } from './arming.ts'
import { type Choice, choicesOf, isPermission } from './choice.ts'
import { contentDrawer, type DrawContent } from './question-content.ts'

/** Somebody else than the conversation: a task of the board, an elf in the background, or the screen, about trust, a plan or a mode. */
export type Asker =
  | { readonly type: 'task'; readonly id: TaskId }
  | { readonly type: 'elf' | 'trust' | 'plan' | 'mode' }

/** A question with the progress of its answer. */
export interface Question {
  readonly interaction: Interaction
  /** Absent: the conversation asks. */
  readonly asker?: Asker | undefined
  /** The model's words before the call that asks. */
  readonly reason?: string | undefined
  /** Answers to the first of several parts; the part after them is asked now. */
  readonly answers: readonly InteractionResponse[]
  readonly drawContent: DrawContent
  /** Whether keys answer it. */
  readonly arming: Arming
  /** Rows of the body, from the first, that were on the screen at the current window size. */
  readonly seenRows: number
  /** Whether the last key was refused because it would have allowed something not fully shown. */
  readonly isRefused: boolean
  /** First visible row of the body. */
  readonly offset: number
  /** Index of the choice that Enter selects; absent until the question is drawn. Only the arrows move it. */
  readonly focused: number | undefined
  /** The text being written: an answer in words, or the reason for a no. */
  readonly words: Prompt | undefined
  /** The chosen answer that the user is asked to confirm, and the question to go back to. */
  readonly confirming: { readonly option: InteractionOption; readonly back: Question } | undefined
}

/** Whether this task asks the question. */
export function isOfTask({ asker }: Question, id: TaskId): boolean {
  return asker?.type === 'task' && asker.id === id
}

/** Whether words are written in place of a choice, which Esc goes back to. */
export function isBesideChoices(question: Question): boolean {
  return question.words !== undefined && (asked(question).options ?? []).length > 0
}

/** Opens a question. One without options starts with text input. */
export function openQuestion(interaction: Interaction, asker?: Asker, reason?: string): Question {
  return { ...openPart({ interaction, answers: [], asker }), reason }
}

/** Opens the part of a question that comes after the given answers. */
export function openPart(part: Pick<Question, 'interaction' | 'answers' | 'asker'>): Question {
  const question: Question = {
    ...part,
    drawContent: contentDrawer(asked(part)),
    arming: unseen,
    seenRows: 0,
    isRefused: false,
    offset: 0,
    focused: undefined,
    words: undefined,
    confirming: undefined,
  }
  return (asked(question).options ?? []).length === 0 ? { ...question, words: emptyPrompt } : question
}

/** Returns what is asked now: whether an answer is meant, the question itself, or one of its parts. */
export function asked({
  interaction,
  answers,
  confirming,
}: Pick<Question, 'interaction' | 'answers'> & Partial<Pick<Question, 'confirming'>>): Interaction {
  const part = interaction.parts?.[answers.length] ?? interaction
  return confirming === undefined ? part : confirmation(part, confirming.option)
}

/** Asks whether an answer that allows much is meant. Its options stand for the answer and for the way back. */
function confirmation({ id }: Interaction, { confirm = '' }: InteractionOption): Interaction {
  return {
    id,
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: confirm,
      description: 'pipe runs them without showing them first, except those it always asks about.',
    },
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No, back to the question', isDefault: true },
    ],
  }
}

/** Asks whether this answer is meant. As with every question, keys answer only once it was on the screen for a moment. */
export function confirmAnswer(back: Question, option: InteractionOption): Question {
  const asking: Question = { ...back, ...anew, focused: undefined, confirming: { option, back } }
  return { ...asking, drawContent: contentDrawer(asked(asking)) }
}

/** Shows a question again that was left to confirm an answer. It must be seen again before an answer allows something. */
export function askAgain(back: Question): Question {
  return { ...back, ...anew }
}

const anew = { arming: unseen, seenRows: 0, isRefused: false, offset: 0 } as const

/** Whether a choice grants a permission, which requires having seen all of it. */
export function isAllowing(interaction: Interaction, { option }: Choice): boolean {
  return isPermission(interaction) && option !== undefined && isGranting(interaction, option)
}

/**
 * Returns the choice focused before the arrows are used. For a permission this is no, unless all of it is already visible and
 * nothing about it is known to be dangerous.
 */
export function firstFocus(question: Question, isAllSeen: boolean): number {
  const interaction = asked(question)
  const choices = choicesOf(interaction)
  const isSafe = question.confirming === undefined && (interaction.display.dangers ?? []).length === 0
  const cautious = cautiousOption(interaction)
  const isFirst = isPermission(interaction) ? isAllSeen && isSafe : cautious?.isDefault !== true
  return isFirst
    ? 0
    : Math.max(
        0,
        choices.findIndex(({ option }) => option !== undefined && option.id === cautious?.id),
      )
}
