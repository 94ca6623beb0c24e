import type { Interaction } from '../interaction.ts'
import { columnsOfLine, cut, type Line, line, span, wrap } from './line.ts'
import { asked, choicesOf, firstMark, isPermission, type Question } from './question.ts'
import type { Screen, Size } from './state.ts'

/** Rows of the screen that are never the question's: the status line, and two that stay free. */
const otherRows = 3

/** The cells that a question has on the screen; the draft below it has a row of its own. */
export function questionRoom(screen: Screen): Size {
  const { columns, rows } = screen.size
  return { columns, rows: Math.max(0, rows - otherRows - (hasDraftRow(screen) ? 1 : 0)) }
}

/** Whether the draft stands below the question. Before a turn the question is about it. */
export function hasDraftRow({ questions: [question], prompt, busySince }: Screen): boolean {
  if (question === undefined || busySince === undefined) return false
  return prompt.text !== '' || question.arming.type === 'unarmed'
}

/** The rows of a question in a room, and which of what it is about and of its choices they hold. */
interface QuestionView {
  readonly head: readonly Line[]
  readonly body: readonly Line[]
  /** The first row shown of the body, and how many. */
  readonly offset: number
  readonly height: number
  /** Whether there is a row that says where in the body one is. */
  readonly hasPlace: boolean
  /** The first choice shown, and how many. */
  readonly firstChoice: number
  readonly choices: number
  /** How many rows of the body each choice takes to be understood: what it is about, and its own words. */
  readonly needed: readonly number[]
}

/** Divides the room: a head, the body, the choices. All choices come before a second row of the body. */
export function viewQuestion(question: Question, { columns, rows }: Size): QuestionView {
  const interaction = asked(question)
  const whole = wholeHead(question, columns)
  // The one row of the smallest window says what becomes of a permission.
  const head = whole.slice(0, rows === 1 && isPermission(interaction) ? 0 : headHeight(whole, rows))
  const content = joined(whole.slice(head.length), question.drawContent(columns))
  const labels = drawCutLabels(interaction, columns)
  const body = joined(content, labels.flat())
  const rest = Math.max(0, rows - head.length)
  const choicesBeside = (taken: number) => Math.min(labels.length, Math.max(1, rest - taken))
  const unplaced = Math.min(rest, choicesBeside(Math.min(1, body.length)))
  // A body that just fits keeps its last row.
  const hasPlace = body.length > rest - unplaced && rest >= 3 && content.length !== rest - unplaced
  const choices = hasPlace ? choicesBeside(2) : unplaced
  const height = Math.max(0, Math.min(body.length, rest - choices - (hasPlace ? 1 : 0)))
  const last = Math.max(0, labels.length - choices)
  return {
    head,
    body,
    offset: Math.max(0, Math.min(question.offset, body.length - height)),
    height,
    hasPlace,
    firstChoice: Math.max(0, Math.min(markOf(question) - Math.floor(choices / 2), last)),
    choices,
    needed: labels.map((rows, i) =>
      rows.length === 0 ? content.length : content.length + labels.slice(0, i + 1).flat().length,
    ),
  }
}

/** Copies only if it must: the rows may be tens of thousands. */
function joined(first: readonly Line[], second: readonly Line[]): readonly Line[] {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}

/** How many rows of the body have been on the screen once this is, and whether these are all there are. */
export function seenRows(question: Question, room: Size): { readonly rows: number; readonly isAll: boolean } {
  const { body, offset, height } = viewQuestion(question, room)
  const rows = Math.max(question.seenRows, height === 0 ? 0 : offset + height)
  return { rows, isAll: room.rows > 0 && rows === body.length }
}

/** Whether the person can know what a choice means: all it takes was on the screen, and the choice itself is. */
export function isUnderstood(question: Question, room: Size, index: number): boolean {
  const { needed, firstChoice, choices } = viewQuestion(question, room)
  const isChoiceShown = index >= firstChoice && index < firstChoice + choices
  return isChoiceShown && question.seenRows >= (needed[index] ?? 0)
}

/** The choice that Enter takes. */
export function markOf(question: Question): number {
  return question.marked ?? firstMark(asked(question), false)
}

/** Whether a permission is asked for in a window with no row for what it is about. */
export function isTooSmall(question: Question, room: Size): boolean {
  const { body, height } = viewQuestion(question, room)
  return isPermission(asked(question)) && (room.rows === 0 || (body.length > 0 && height === 0))
}

/** Draws the title and its number among several questions, in at most a third of the room. */
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

/** The question, the whole of what it is about in a window that scrolls, and the choices. The mark is shown where keys answer. */
export function drawQuestion(question: Question, room: Size, isOpen: boolean): Line[] {
  const { columns } = room
  const { head, body, offset, height, hasPlace, firstChoice, choices } = viewQuestion(question, room)
  const place = `  PgUp PgDn rows ${offset + 1}–${offset + height} of ${body.length}`
  const rows = drawChoices(asked(question), isOpen ? markOf(question) : undefined)
  return [
    ...head,
    ...body.slice(offset, offset + height),
    ...(hasPlace ? [cut(line(place, { color: 'yellow' }), columns)] : []),
    ...rows.slice(firstChoice, firstChoice + choices).map((row) => cut(row, columns)),
  ]
}

/** The choices, dim where no key takes one. */
function drawChoices(interaction: Interaction, marked: number | undefined): Line[] {
  const choices = choicesOf(interaction)
  const keysOf = ({ keys }: (typeof choices)[number]) => keys.join(' ')
  const width = Math.max(...choices.map((choice) => keysOf(choice).length))
  const isOpen = marked !== undefined
  return choices.map((choice, i): Line => {
    const mark = i === marked ? span('❯ ', { color: 'cyan', bold: true }) : span('  ')
    const keys = span(`${keysOf(choice).padEnd(width)}  `, isOpen ? { bold: true } : { dim: true })
    return [mark, keys, span(choice.label, isOpen ? {} : { dim: true })]
  })
}

/** For each choice that is cut in its own row the whole of it: nobody shall take what they cannot read. */
function drawCutLabels(interaction: Interaction, columns: number): readonly (readonly Line[])[] {
  const rows = drawChoices(interaction, undefined)
  return choicesOf(interaction).map(({ keys, label }, i) =>
    columnsOfLine(rows[i] ?? []) <= columns
      ? []
      : wrap([span(`  ${keys.join(' ')}: `, { dim: true }), span(label)], columns, 4),
  )
}
