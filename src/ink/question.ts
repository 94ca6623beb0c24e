import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { tableText } from '../table.ts'
import { drawWholeDiff } from './diff.ts'
import { columnsOfLine, cut, type Line, line, lines, span, wrap } from './line.ts'
import { emptyPrompt, type Prompt } from './prompt.ts'
import type { Size } from './state.ts'

/** A question as far as a person has come with it. */
export interface Question {
  readonly interaction: Interaction
  /** To its first parts, where it is of several: the one after them is asked. */
  readonly answers: readonly InteractionResponse[]
  /** When it was first drawn: monotonic; absent until then. */
  readonly shownAt: number | undefined
  /** The first row shown of what is asked about. */
  readonly offset: number
  /** The option that the arrows lead to; absent until they do. */
  readonly marked: number | undefined
  /** What is being written: an answer in words, or the reason for a no. */
  readonly words: Prompt | undefined
}

/** A question nobody has looked at yet. What can only be answered in words is written at once. */
export function openQuestion(interaction: Interaction): Question {
  return openPart({ interaction, answers: [], shownAt: undefined })
}

/** The part of a question that comes after these answers. */
export function openPart(part: Pick<Question, 'interaction' | 'answers' | 'shownAt'>): Question {
  const question = { ...part, offset: 0, marked: undefined, words: undefined }
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

/** Whether the person may answer in words of their own, though there are options. */
export function takesWords(interaction: Pick<Interaction, 'kind'>): boolean {
  return interaction.kind !== 'confirm'
}

/** Rows beside the head, what is asked about and the options: where one is, how to answer in words, the status, two that stay free. */
const frameRows = 5

/** What is asked about, the part of it that is shown, and whether its end is. */
interface QuestionView {
  readonly body: readonly Line[]
  readonly height: number
  readonly offset: number
  readonly isEndShown: boolean
}

export function viewQuestion(question: Question, size: Size): QuestionView {
  const { columns, rows } = size
  const { display, options = [] } = asked(question)
  const body = [...drawContent(display, columns), ...drawCutLabels(asked(question), columns)]
  const head = drawQuestionHead(question, size).length
  const height = Math.max(1, Math.min(body.length, rows - head - options.length - frameRows))
  const last = Math.max(0, body.length - height)
  const start = Math.min(question.offset, last)
  return { body, height, offset: start, isEndShown: start >= last }
}

/**
 * The index of the option that Enter takes: the one that the arrows lead to, or the default. Of a permission it is the default, which
 * is no, until the end of what is asked about is shown, and then the first before the arrows lead to another.
 */
export function enterIndex(question: Question, size: Size): number {
  const interaction = asked(question)
  const { options = [] } = interaction
  const preset = options.findIndex(({ isDefault }) => isDefault === true)
  if (!isPermission(interaction)) return question.marked ?? Math.max(0, preset)
  if (viewQuestion(question, size).isEndShown) return question.marked ?? 0
  return preset === -1 ? options.length - 1 : preset
}

/** What is asked, and which of how many it is. */
export function drawQuestionHead(question: Question, { columns, rows }: Size): Line[] {
  const { interaction, answers } = question
  const { title, description } = asked(question).display
  const count = interaction.parts?.length
  const head: Line = [
    span('? ', { color: 'yellow', bold: true }),
    ...(count === undefined ? [] : [span(`${answers.length + 1}/${count} `, { dim: true })]),
    span(title, { bold: true }),
    ...(description === undefined ? [] : [span(` ${description}`, { dim: true })]),
  ]
  return wrap(head, columns, 2).slice(0, Math.max(1, Math.floor(rows / 3)))
}

/** The question, the whole of what it is about in a window that scrolls, and the keys that answer it; Enter where it does. */
export function drawQuestion(question: Question, size: Size, takesEnter: boolean): Line[] {
  const { columns, rows } = size
  const view = viewQuestion(question, size)
  const shown = view.body.slice(view.offset, view.offset + view.height)
  const below = view.body.length - view.offset - shown.length
  const keys = isPermission(asked(question)) ? '↑↓' : 'PgUp PgDn'
  const place = `  ${keys} rows ${view.offset + 1}–${view.offset + shown.length} of ${view.body.length}`
  const above = [
    ...drawQuestionHead(question, size),
    ...shown,
    ...(view.offset > 0 || below > 0 ? [cut(line(place, { color: 'yellow' }), columns)] : []),
  ]
  const onEnter = enterIndex(question, size)
  const choices = drawOptions(asked(question), takesEnter ? onEnter : undefined)
  const rest = around(choices, onEnter, rows - 3 - above.length)
  return [...above, ...rest.map((one) => cut(one, columns))]
}

/** As many rows as there is room for, this one among them. */
function around(choices: readonly Line[], marked: number, room: number): readonly Line[] {
  const height = Math.max(1, room)
  const start = Math.max(0, Math.min(marked - Math.floor(height / 2), choices.length - height))
  return choices.slice(start, start + height)
}

function drawOptions(interaction: Interaction, onEnter: number | undefined): Line[] {
  const choices = choicesOf(interaction)
  const width = Math.max(...choices.map(({ keys }) => keys.length))
  return choices.map(({ keys, label }, i): Line => {
    const mark = i === onEnter ? span('❯ ', { color: 'cyan', bold: true }) : span('  ')
    return [mark, span(`${keys.padEnd(width)}  `, { bold: true }), span(label)]
  })
}

interface Choice {
  /** What chooses it: `1 y`. */
  readonly keys: string
  readonly label: string
}

/** The options, and an answer in words where one may be given. */
function choicesOf(interaction: Interaction): readonly Choice[] {
  const choices = (interaction.options ?? []).map((option, i): Choice => {
    const keys = [String(i + 1), letterOf(option)].filter((key) => key !== undefined).join(' ')
    return { keys, label: option.label }
  })
  const label = isPermission(interaction) ? 'No, and say why' : 'Another answer'
  return takesWords(interaction) ? [...choices, { keys: 'w', label }] : choices
}

/** The whole of each option that is cut in its own row: nobody shall take what they cannot read. */
function drawCutLabels(interaction: Interaction, columns: number): Line[] {
  const rows = drawOptions(interaction, undefined)
  return choicesOf(interaction).flatMap(({ keys, label }, i) =>
    columnsOfLine(rows[i] ?? []) <= columns
      ? []
      : wrap([span(`  ${keys}: `, { dim: true }), span(label)], columns, 4),
  )
}

const letters: Readonly<Record<string, string>> = {
  allow: 'y',
  allow_session: 'a',
  deny: 'n',
  yes: 'y',
  no: 'n',
}

/** The letter that chooses an option, beside its number. */
export function letterOf({ id }: InteractionOption): string | undefined {
  return letters[id]
}

/** All of what is asked about, in the form that suits it. */
function drawContent({ content, contentKind }: Interaction['display'], columns: number): Line[] {
  if (content === undefined) return []
  if (contentKind === 'diff' && typeof content === 'string') return drawWholeDiff(content, columns)
  const value = contentKind === 'table' ? tableText(content) : content
  return drawValue(value, '  ').flatMap((one) => wrap(one, columns, 4))
}

/** All of a value, nothing cut: text as it is, everything else by its names. */
function drawValue(value: JsonValue, margin: string): Line[] {
  if (typeof value === 'string') return lines(value).map((one) => [span(margin), ...one])
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue, i) => drawField(String(i + 1), one, margin))
  }
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => drawField(name, one, margin))
  return [line(margin + JSON.stringify(value))]
}

function drawField(name: string, value: JsonValue, margin: string): Line[] {
  const label = span(`${margin}${name}: `, { dim: true })
  const isShort =
    typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object' || value === null
  if (isShort) return [[label, span(typeof value === 'string' ? value : JSON.stringify(value))]]
  return [[label], ...drawValue(value, `${margin}  `)]
}
