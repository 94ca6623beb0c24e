import type { Interaction } from '../interaction.ts'
import { columnsOfLine, cut, type Line, line, span, wrap } from './line.ts'
import { asked, choicesOf, firstFocus, isPermission, type Question } from './question.ts'
import type { Screen, Size } from './state.ts'

/** Rows of the screen that a question never uses: the status line and two free rows. */
const otherRows = 3

/** Returns the cells for a question on the screen; the draft below it has a row of its own. */
export function questionArea(screen: Screen): Size {
  const { columns, rows } = screen.size
  return { columns, rows: Math.max(0, rows - otherRows - (hasDraftRow(screen) ? 1 : 0)) }
}

/** Whether the draft is shown below the question. Before a turn it is not: the question is about the draft. */
export function hasDraftRow({ questions: [question], prompt }: Screen): boolean {
  if (question === undefined) return false
  return prompt.text !== '' || question.arming.type === 'unarmed'
}

/** The layout of a question: its rows, and the visible ranges of its body and choices. */
interface QuestionView {
  readonly head: readonly Line[]
  readonly body: readonly Line[]
  /** First visible row of the body, and the number of visible rows. */
  readonly offset: number
  readonly height: number
  /** Whether a row shows the scroll position. */
  readonly hasPosition: boolean
  /** First visible choice, and the number of visible choices. */
  readonly firstChoice: number
  readonly choices: number
  /** For each choice, the body rows to read before it can be understood: the content, and the choice's own text if cut. */
  readonly needed: readonly number[]
}

/** Divides the area into head, body and choices. All choices get a row before the body gets a second one. */
export function viewQuestion(question: Question, { columns, rows }: Size): QuestionView {
  const interaction = asked(question)
  const whole = wholeHead(question, columns)
  // In an area of one row a permission shows no head, only a choice.
  const head = whole.slice(0, rows === 1 && isPermission(interaction) ? 0 : headHeight(whole, rows))
  const content = joined(whole.slice(head.length), question.drawContent(columns))
  const labels = drawCutLabels(interaction, columns)
  const body = joined(content, labels.flat())
  const rest = Math.max(0, rows - head.length)
  const choicesBeside = (taken: number) => Math.min(labels.length, Math.max(1, rest - taken))
  const unscrolled = Math.min(rest, choicesBeside(Math.min(1, body.length)))
  // Content that just fits keeps its last row.
  const hasPosition = body.length > rest - unscrolled && rest >= 3 && content.length !== rest - unscrolled
  const choices = hasPosition ? choicesBeside(2) : unscrolled
  const height = Math.max(0, Math.min(body.length, rest - choices - (hasPosition ? 1 : 0)))
  const last = Math.max(0, labels.length - choices)
  return {
    head,
    body,
    offset: Math.max(0, Math.min(question.offset, body.length - height)),
    height,
    hasPosition,
    firstChoice: Math.max(0, Math.min(focusOf(question) - Math.floor(choices / 2), last)),
    choices,
    needed: labels.map((rows, i) =>
      rows.length === 0 ? content.length : content.length + labels.slice(0, i + 1).flat().length,
    ),
  }
}

/** Copies only if both parts have rows: there may be tens of thousands. */
function joined(first: readonly Line[], second: readonly Line[]): readonly Line[] {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}

/** Returns how many body rows have been on the screen after this view, and whether these are all rows. */
export function seenRows(question: Question, area: Size): { readonly rows: number; readonly isAll: boolean } {
  const { body, offset, height } = viewQuestion(question, area)
  const rows = Math.max(question.seenRows, height === 0 ? 0 : offset + height)
  return { rows, isAll: area.rows > 0 && rows === body.length }
}

/** Whether the user can understand a choice: it is visible, and all rows it needs were on the screen. */
export function isUnderstood(question: Question, area: Size, index: number): boolean {
  const { needed, firstChoice, choices } = viewQuestion(question, area)
  const isChoiceShown = index >= firstChoice && index < firstChoice + choices
  return isChoiceShown && question.seenRows >= (needed[index] ?? 0)
}

/** Returns the index of the choice that Enter selects. */
export function focusOf(question: Question): number {
  return question.focused ?? firstFocus(asked(question), false)
}

/** Whether a permission is asked for in a window without a row for its body. */
export function isTooSmall(question: Question, area: Size): boolean {
  const { body, height } = viewQuestion(question, area)
  return isPermission(asked(question)) && (area.rows === 0 || (body.length > 0 && height === 0))
}

/** Draws the title and the number among several parts, in at most a third of the area. */
export function drawQuestionHead(question: Question, { columns, rows }: Size): readonly Line[] {
  const whole = wholeHead(question, columns)
  return whole.slice(0, headHeight(whole, rows))
}

function headHeight(whole: readonly Line[], rows: number): number {
  return Math.min(whole.length, rows, Math.max(1, Math.floor(rows / 3)))
}

function wholeHead(question: Question, columns: number): readonly Line[] {
  const { interaction, answers } = question
  const { title, description } = asked(question).display
  const count = interaction.parts?.length
  const head: Line = [
    span('? ', { color: 'yellow', bold: true }),
    ...(count === undefined ? [] : [span(`${answers.length + 1}/${count} `, { dim: true })]),
    span(title, { bold: true }),
    ...(description === undefined ? [] : [span(` ${description}`, { dim: true })]),
  ]
  return wrap(head, columns, 2)
}

/** Draws the head, the scrollable body and the choices. Shows the focus only if keys answer. */
export function drawQuestion(question: Question, area: Size, isOpen: boolean): Line[] {
  const { columns } = area
  const { head, body, offset, height, hasPosition, firstChoice, choices } = viewQuestion(question, area)
  const position = `  PgUp PgDn rows ${offset + 1}–${offset + height} of ${body.length}`
  const rows = drawChoices(asked(question), isOpen ? focusOf(question) : undefined)
  return [
    ...head,
    ...body.slice(offset, offset + height),
    ...(hasPosition ? [cut(line(position, { color: 'yellow' }), columns)] : []),
    ...rows.slice(firstChoice, firstChoice + choices).map((row) => cut(row, columns)),
  ]
}

/** Draws the choices, dim if no key selects one. */
function drawChoices(interaction: Interaction, focused: number | undefined): Line[] {
  const choices = choicesOf(interaction)
  const keysOf = ({ keys }: (typeof choices)[number]) => keys.join(' ')
  const width = Math.max(...choices.map((choice) => keysOf(choice).length))
  const isOpen = focused !== undefined
  return choices.map((choice, i): Line => {
    const mark = i === focused ? span('❯ ', { color: 'cyan', bold: true }) : span('  ')
    const keys = span(`${keysOf(choice).padEnd(width)}  `, isOpen ? { bold: true } : { dim: true })
    return [mark, keys, span(choice.label, isOpen ? {} : { dim: true })]
  })
}

/** Draws in full each choice that is cut in its own row, so that nobody selects what they cannot read. */
function drawCutLabels(interaction: Interaction, columns: number): readonly (readonly Line[])[] {
  const rows = drawChoices(interaction, undefined)
  return choicesOf(interaction).map(({ keys, label }, i) =>
    columnsOfLine(rows[i] ?? []) <= columns
      ? []
      : wrap([span(`  ${keys.join(' ')}: `, { dim: true }), span(label)], columns, 4),
  )
}
