import type { TaskId } from '../id.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type Arming, unseen } from './arming.ts'
import { emptyPrompt, type Prompt } from './prompt.ts'
import { contentDrawer, type DrawContent } from './question-content.ts'

/** Somebody else than the conversation: a task of the board, or an elf in the background. */
export type Asker = { readonly type: 'task'; readonly id: TaskId } | { readonly type: 'elf' }

/** A question with the progress of its answer. */
export interface Question {
  readonly interaction: Interaction
  /** Absent: the conversation asks. */
  readonly asker?: Asker
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
}

/** Whether this task asks the question. */
export function isOfTask({ asker }: Question, id: TaskId): boolean {
  return asker?.type === 'task' && asker.id === id
}

/** Opens a question. One without options starts with text input. */
export function openQuestion(interaction: Interaction, asker?: Asker): Question {
  return openPart({ interaction, answers: [], ...omitUndefined({ asker }) })
}

/** Opens the part of a question that comes after the given answers. */
export function openPart(part: Pick<Question, 'interaction' | 'answers' | 'asker'>): Question {
  const question: Question = {
    ...part,
    drawContent: contentDrawer(asked(part).display),
    arming: unseen,
    seenRows: 0,
    isRefused: false,
    offset: 0,
    focused: undefined,
    words: undefined,
  }
  return (asked(question).options ?? []).length === 0 ? { ...question, words: emptyPrompt } : question
}

/** Returns what is asked now: the question itself, or one of its parts. */
export function asked({ interaction, answers }: Pick<Question, 'interaction' | 'answers'>): Interaction {
  return interaction.parts?.[answers.length] ?? interaction
}

/** Whether the question asks for a permission, which must not be given by accident. */
export function isPermission({ purpose }: Interaction): boolean {
  return purpose === 'confirm_risky_action'
}

/** A way to answer: an option, or words if `option` is absent. */
export interface Choice {
  /** Keys that select it: `1`, `y`. */
  readonly keys: readonly string[]
  readonly label: string
  readonly option?: InteractionOption
}

/** Lists the options, and an answer in words if one is allowed. */
export function choicesOf(interaction: Interaction): readonly Choice[] {
  const choices = (interaction.options ?? []).map((option, i): Choice => {
    const keys = [String(i + 1), letters[option.id]].filter((key) => key !== undefined)
    return { keys, label: option.label, option }
  })
  if (interaction.kind === 'confirm') return choices
  const label = isPermission(interaction) ? 'No, and say why' : 'Another answer'
  return [...choices, { keys: ['w'], label }]
}

const letters: Readonly<Record<string, string>> = {
  allow: 'y',
  allow_session: 'a',
  deny: 'n',
  yes: 'y',
  no: 'n',
}

/** Returns the option that means no. */
export function cautiousOption({ options = [] }: Interaction): InteractionOption | undefined {
  return options.find(({ isDefault }) => isDefault === true) ?? options.at(-1)
}

/** Whether a choice grants a permission, which requires having seen all of it. */
export function isAllowing(interaction: Interaction, { option }: Choice): boolean {
  return (
    isPermission(interaction) &&
    option !== undefined &&
    option !== cautiousOption(interaction) &&
    option.id !== 'deny'
  )
}

/** Returns the choice focused before the arrows are used. For a permission this is no, unless all of it is already visible. */
export function firstFocus(interaction: Interaction, isAllSeen: boolean): number {
  const { options = [] } = interaction
  const cautious = cautiousOption(interaction)
  if (isPermission(interaction) && cautious !== undefined) return isAllSeen ? 0 : options.indexOf(cautious)
  return Math.max(
    0,
    options.findIndex(({ isDefault }) => isDefault === true),
  )
}
