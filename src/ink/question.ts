import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { type Arming, unseen } from './arming.ts'
import { emptyPrompt, type Prompt } from './prompt.ts'
import { contentDrawer, type DrawContent } from './question-content.ts'

/** A question as far as a person has come with it. */
export interface Question {
  readonly interaction: Interaction
  /** To its first parts, where it is of several: the one after them is asked. */
  readonly answers: readonly InteractionResponse[]
  readonly drawContent: DrawContent
  /** Whether keys answer it. */
  readonly arming: Arming
  /** Rows of what is asked about that were on the screen, at the size the window has now: all up to this one. */
  readonly seenRows: number
  /** The last key would have allowed what was not shown. */
  readonly isRefused: boolean
  /** The first row shown of what is asked about. */
  readonly offset: number
  /** The index of the choice that Enter takes; absent until the question is drawn. Only the arrows move it. */
  readonly marked: number | undefined
  /** What is being written: an answer in words, or the reason for a no. */
  readonly words: Prompt | undefined
}

/** A question nobody has looked at yet. What can only be answered in words is written at once. */
export function openQuestion(interaction: Interaction): Question {
  return openPart({ interaction, answers: [] })
}

/** The part of a question that comes after these answers. */
export function openPart(part: Pick<Question, 'interaction' | 'answers'>): Question {
  const question: Question = {
    ...part,
    drawContent: contentDrawer(asked(part).display),
    arming: unseen,
    seenRows: 0,
    isRefused: false,
    offset: 0,
    marked: undefined,
    words: undefined,
  }
  return (asked(question).options ?? []).length === 0 ? { ...question, words: emptyPrompt } : question
}

/** What is asked now: the question itself, or one of its parts. */
export function asked({ interaction, answers }: Pick<Question, 'interaction' | 'answers'>): Interaction {
  return interaction.parts?.[answers.length] ?? interaction
}

/** Whether something is to be allowed, which nobody shall do by accident. */
export function isPermission({ purpose }: Interaction): boolean {
  return purpose === 'confirm_risky_action'
}

/** A way to answer: an option, or words where `option` is absent. */
export interface Choice {
  /** The keys that take it: `1`, `y`. */
  readonly keys: readonly string[]
  readonly label: string
  readonly option?: InteractionOption
}

/** The options, and an answer in words where one may be given. */
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

/** The option that a no stands for. */
export function cautiousOption({ options = [] }: Interaction): InteractionOption | undefined {
  return options.find(({ isDefault }) => isDefault === true) ?? options.at(-1)
}

/** Whether a choice allows something, which takes having seen what. */
export function isAllowing(interaction: Interaction, { option }: Choice): boolean {
  return (
    isPermission(interaction) &&
    option !== undefined &&
    option !== cautiousOption(interaction) &&
    option.id !== 'deny'
  )
}

/** The choice that Enter takes before the arrows were used. Of a permission that is no, unless all of it is in sight already. */
export function firstMark(interaction: Interaction, isAllSeen: boolean): number {
  const { options = [] } = interaction
  const cautious = cautiousOption(interaction)
  if (isPermission(interaction) && cautious !== undefined) return isAllSeen ? 0 : options.indexOf(cautious)
  return Math.max(
    0,
    options.findIndex(({ isDefault }) => isDefault === true),
  )
}
