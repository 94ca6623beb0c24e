import type { Syntax } from '../code/code-syntax.ts'
import { cut, type Line, line, span, wrap } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { asked, firstFocus, type Question } from './asked-question.ts'
import { choicesOf, isPermission } from './choice.ts'
import { type ChoiceRows, drawChoiceRows, drawCutChoices, layChoices } from './choice-rows.ts'
import { drawDescription } from './question-content.ts'
import { drawRule, isFramed, isRuled, ruleRoom } from './question-frame.ts'

/** Rows of the screen that a question never uses: the status line and two free rows. */
const otherRows = 3

/** The cells for a question. */
export interface QuestionArea extends Size {
  /** Colours a diff, once it is loaded. */
  readonly syntax?: Syntax | undefined
}

/** Returns the cells for a question on the screen; the draft below it has a row of its own. */
export function questionArea(screen: Screen): QuestionArea {
  const { columns, rows } = screen.size
  const free = Math.max(0, rows - otherRows - (hasDraftRow(screen) ? 1 : 0))
  return { columns, rows: free, syntax: screen.syntax }
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
  readonly laid: ChoiceRows
  /** First visible row of choices, and the number of visible rows. */
  readonly firstRow: number
  readonly choiceRows: number
  /** For each choice, the body rows to read before it can be understood: the content, and the choice's own text if cut. */
  readonly needed: readonly number[]
}

/** Divides the area into head, body and choices. All choices get a row before the body gets a second one. */
export function viewQuestion(question: Question, area: QuestionArea): QuestionView {
  const { columns } = area
  const rows = area.rows - (isFramed(area) ? 1 : 0)
  const interaction = asked(question)
  const { ruled, rest: title } = wholeHead(question, area)
  const whole = [...ruled, ...title]
  // In an area of one row a permission shows no head, only a choice.
  const head = whole.slice(0, rows === 1 && isPermission(interaction) ? 0 : headHeight(whole, rows))
  const laid = layChoices(choicesOf(interaction), columns, isPermission(interaction))
  const content = joined(whole.slice(head.length), question.drawContent(columns, area.syntax))
  const labels = drawCutChoices(laid, columns)
  const body = joined(content, labels.flat())
  const rest = Math.max(0, rows - head.length)
  const choicesBeside = (taken: number) => Math.min(laid.rows.length, Math.max(1, rest - taken))
  const unscrolled = Math.min(rest, choicesBeside(Math.min(1, body.length)))
  // Content that just fits keeps its last row.
  const hasPosition = body.length > rest - unscrolled && rest >= 3 && content.length !== rest - unscrolled
  const choiceRows = hasPosition ? choicesBeside(2) : unscrolled
  const height = Math.max(0, Math.min(body.length, rest - choiceRows - (hasPosition ? 1 : 0)))
  const last = Math.max(0, laid.rows.length - choiceRows)
  const focusRow = laid.rows.findIndex((row) => row.includes(focusOf(question)))
  return {
    head,
    body,
    height,
    hasPosition,
    laid,
    choiceRows,
    offset: Math.max(0, Math.min(question.offset, body.length - height)),
    firstRow: Math.max(0, Math.min(focusRow - Math.floor(choiceRows / 2), last)),
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

/** Columns before a title in rows of its own. */
const margin = '   '

/** Returns how many body rows have been on the screen after this view, and whether these are all rows. */
export function seenRows(question: Question, area: Size): { readonly rows: number; readonly isAll: boolean } {
  const { body, offset, height } = viewQuestion(question, area)
  const rows = Math.max(question.seenRows, height === 0 ? 0 : offset + height)
  return { rows, isAll: area.rows > 0 && rows === body.length }
}

/** Whether the user can understand a choice: it is visible, and all rows it needs were on the screen. */
export function isUnderstood(question: Question, area: Size, index: number): boolean {
  const { needed, laid, firstRow, choiceRows } = viewQuestion(question, area)
  const row = laid.rows.findIndex((one) => one.includes(index))
  const isChoiceShown = row >= firstRow && row < firstRow + choiceRows
  return isChoiceShown && question.seenRows >= (needed[index] ?? 0)
}

/** Returns the index of the choice that Enter selects. */
export function focusOf(question: Question): number {
  return question.focused ?? firstFocus(question, false)
}

/** Whether a permission is asked for in a window without a row for its body. */
export function isTooSmall(question: Question, area: Size): boolean {
  const { body, height } = viewQuestion(question, area)
  return isPermission(asked(question)) && (area.rows === 0 || (body.length > 0 && height === 0))
}

/** Draws the title and what it says about itself, for an answer in words. */
export function drawQuestionHead(question: Question, area: QuestionArea): readonly Line[] {
  const { ruled, rest } = wholeHead(question, area)
  const whole = [...ruled, ...rest]
  const title = whole.slice(0, headHeight(whole, area.rows))
  const room = Math.max(0, Math.floor(area.rows / 3) - title.length)
  return [...title, ...drawDescription(asked(question).display, area.columns).slice(0, room)]
}

/** A title takes at most a third of the area. */
function headHeight(whole: readonly Line[], rows: number): number {
  return Math.min(whole.length, rows, Math.max(1, Math.floor(rows / 3)))
}

/** Draws the title in the rule above the question, or below the rule if it is long. Without room for rules: after a mark. */
function wholeHead(
  question: Question,
  area: Size,
): { readonly ruled: readonly Line[]; readonly rest: readonly Line[] } {
  const { interaction, answers } = question
  const count = interaction.parts?.length
  const number = count === undefined ? [] : [span(`${answers.length + 1}/${count} `, { color: 'muted' })]
  const title: Line = [...number, ...titleSpans(asked(question).display.title)]
  if (!isRuled(area))
    return {
      ruled: [],
      rest: wrap([span('? ', { color: 'warning', bold: true }), ...title], area.columns, 2),
    }
  return isShort(title, area)
    ? { ruled: [drawRule(title, area.columns)], rest: [] }
    : { ruled: [drawRule([], area.columns)], rest: wrap([span(margin), ...title], area.columns, 3) }
}

function titleSpans(title: string): Line {
  return [span(title.replace(/\s*\n\s*/g, ' '), { bold: true })]
}

function isShort(title: Line, { columns }: Size): boolean {
  return cut(title, ruleRoom(columns)) === title
}

/** Draws the head, the scrollable body, the choices and the rule below. Shows the focus only if keys answer. */
export function drawQuestion(question: Question, area: QuestionArea, isOpen: boolean): Line[] {
  const { columns } = area
  const { head, body, offset, height, hasPosition, laid, firstRow, choiceRows } = viewQuestion(question, area)
  const alarm = (asked(question).display.dangers ?? []).slice(0, 1).map(({ text }) => ` · ⚠ ${text}`)
  const rowsShown = `rows ${offset + 1}–${offset + height} of ${body.length}`
  const position = `${margin}PgUp PgDn ${rowsShown}${alarm.join('')}`
  const rows = drawChoiceRows(laid, isOpen ? focusOf(question) : undefined, columns)
  return [
    ...head,
    ...body.slice(offset, offset + height),
    ...(hasPosition ? [cut(line(position, { color: 'warning' }), columns)] : []),
    ...rows.slice(firstRow, firstRow + choiceRows),
  ]
}
