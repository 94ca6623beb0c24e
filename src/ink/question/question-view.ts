import type { Syntax } from '../code/code-syntax.ts'
import { columnsOf } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, line, span, wrap } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { asked, firstFocus, type Question } from './asked-question.ts'
import { type Choice, choicesOf, isPermission } from './choice.ts'
import { choiceLook, drawCutChoice, drawCutChoices, drawWholeChoice } from './choice-rows.ts'
import { drawDangers, drawDescription } from './question-content.ts'
import { drawRule, isFramed, isRuled, ruleRoom, withPosition } from './question-frame.ts'
import { drawReason } from './stated-reason.ts'

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
  /** Whether a row of its own shows the scroll position. With a rule, the rule does. */
  readonly hasPosition: boolean
  /** The dangers, where they always stand below the body. */
  readonly alarms: readonly Line[]
  /** Whether a blank row stands before the choices. */
  readonly hasGap: boolean
  readonly choices: readonly Choice[]
  /** Whether each choice takes as many rows as it needs; else one, and all of a cut one is in the body. */
  readonly isWhole: boolean
  /** First visible choice, and the number of visible ones. */
  readonly firstChoice: number
  readonly choiceCount: number
  /** For each choice, the body rows to read before it can be understood: the content, and the choice's own text if cut. */
  readonly needed: readonly number[]
}

/** Divides the area into head, body and choices. All choices get a row before the body gets a second one. */
export function viewQuestion(question: Question, area: QuestionArea): QuestionView {
  const view = layQuestion(question, area, '')
  const { body, height } = view
  // The position takes room from the title in the rule.
  return height < body.length && isRuled(area)
    ? layQuestion(question, area, positionForms(body.length, body.length, body.length).at(-1) ?? '')
    : view
}

function layQuestion(question: Question, area: QuestionArea, position: string): QuestionView {
  const { columns } = area
  const rows = area.rows - (isFramed(area) ? 1 : 0)
  const interaction = asked(question)
  const { ruled, rest: title } = wholeHead(question, area, position)
  const whole = [...ruled, ...title]
  // In an area of one row a permission shows no head, only a choice.
  const titled = whole.slice(0, rows === 1 && isPermission(interaction) ? 0 : headHeight(whole, rows))
  const head = [...titled, ...reasonOf(question, area)]
  const choices = choicesOf(interaction)
  const { content, alarms } = contentOf(question, area)
  const text = joined(whole.slice(titled.length), content)
  const rest = Math.max(0, rows - head.length - alarms.length)
  const asWhole = choices.flatMap((choice) => drawWholeChoice(choice, 'closed', columns)).length
  // Choices are cut only where they would leave the content less than a third of the area.
  const isWhole = asWhole + Math.min(text.length, Math.max(1, Math.floor(rows / 3))) <= rest
  const labels = isWhole ? choices.map(() => []) : drawCutChoices(choices, columns)
  const body = joined(text, labels.flat())
  const count = isWhole ? asWhole : choices.length
  const hasGap = rest >= count + 1 + (isFramed(area) ? 1 : body.length)
  const room = rest - (hasGap ? 1 : 0)
  const choicesBeside = (taken: number) => Math.min(count, Math.max(1, room - taken))
  const unscrolled = Math.min(room, choicesBeside(Math.min(1, body.length)))
  // Content that just fits keeps its last row.
  const isPlaced = body.length > room - unscrolled && room >= 3 && text.length !== room - unscrolled
  const hasPosition = isPlaced && !isRuled(area)
  const choiceRows = hasPosition ? choicesBeside(2) : unscrolled
  const height = Math.max(0, Math.min(body.length, room - choiceRows - (hasPosition ? 1 : 0)))
  const choiceCount = isWhole ? choices.length : choiceRows
  const last = Math.max(0, choices.length - choiceCount)
  return {
    head,
    body,
    height,
    hasPosition,
    alarms,
    hasGap,
    choices,
    isWhole,
    choiceCount,
    offset: Math.max(0, Math.min(question.offset, body.length - height)),
    firstChoice: Math.max(0, Math.min(focusOf(question) - Math.floor(choiceCount / 2), last)),
    needed: labels.map((rows, i) =>
      rows.length === 0 ? text.length : text.length + labels.slice(0, i + 1).flat().length,
    ),
  }
}

/** Draws what the model said about its call, where there is room for more than the question. */
function reasonOf({ reason, interaction, confirming }: Question, area: Size): readonly Line[] {
  const isShown = isFramed(area) && isPermission(interaction) && confirming === undefined
  return isShown && reason !== undefined ? [drawReason(reason, area.columns)] : []
}

/** Returns what a question is about, and its dangers apart from it if there is room for all of them below. */
function contentOf(
  question: Question,
  area: QuestionArea,
): { readonly content: readonly Line[]; readonly alarms: readonly Line[] } {
  const { columns, rows, syntax } = area
  const interaction = asked(question)
  const alarms = isPermission(interaction) ? drawDangers(interaction.display, columns) : []
  const content = question.drawContent(columns, syntax)
  const hasRoom = isRuled(area) && alarms.length <= rows / 3
  return hasRoom ? { content, alarms } : { content: joined(content, alarms), alarms: [] }
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
  const { needed, firstChoice, choiceCount } = viewQuestion(question, area)
  const isChoiceShown = index >= firstChoice && index < firstChoice + choiceCount
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

/**
 * Draws the title in the rule above the question. A long one is below the rule, or in a small window begins in it. Without room for rules:
 * after a mark. `position` is what the rule must have room for beside the title.
 */
function wholeHead(
  question: Question,
  area: Size,
  position = '',
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
  const room = ruleRoom(area.columns) - (position === '' ? 0 : columnsOf(position) + 3)
  if (columnsOfLine(title) > room && isFramed(area))
    return { ruled: [drawRule([], area.columns)], rest: wrap([span(margin), ...title], area.columns, 3) }
  const [first = [], ...others] = wrap(title, Math.max(1, room))
  return {
    ruled: [drawRule(first, area.columns)],
    rest: others.map((row) => [span(margin), ...row]),
  }
}

function titleSpans(title: string): Line {
  return [span(title.replace(/\s*\n\s*/g, ' '), { bold: true })]
}

/** Draws the head, the scrollable body, the choices and the rule below. Shows the focus only if keys answer. */
export function drawQuestion(question: Question, area: QuestionArea, isOpen: boolean): Line[] {
  const { columns } = area
  const view = viewQuestion(question, area)
  const { head, body, offset, height, choices, firstChoice, choiceCount } = view
  const focused = isOpen ? focusOf(question) : undefined
  const forms = height < body.length ? positionForms(offset + 1, offset + height, body.length) : []
  const rule = head[0]
  const isPlaced = rule !== undefined && isRuled(area) && forms.length > 0
  return [
    ...(isPlaced ? [withPosition(rule, forms, columns), ...head.slice(1)] : head),
    ...body.slice(offset, offset + height),
    ...(view.hasPosition
      ? [cut(line(`${margin}${forms[0] ?? ''}${alarmOf(question)}`, warning), columns)]
      : []),
    ...view.alarms,
    ...(view.hasGap ? [[]] : []),
    ...choices.slice(firstChoice, firstChoice + choiceCount).flatMap((choice, i) => {
      const look = choiceLook(firstChoice + i, focused)
      return view.isWhole ? drawWholeChoice(choice, look, columns) : [drawCutChoice(choice, look, columns)]
    }),
  ]
}

const warning = { color: 'warning' } as const

/** Names the gravest danger, in a window without room for all of them below the content. */
function alarmOf(question: Question): string {
  const [first] = asked(question).display.dangers ?? []
  return first === undefined ? '' : ` · ⚠ ${first.text}`
}

/** Says which rows of the body are shown, in the fullest form first. */
function positionForms(from: number, to: number, count: number): readonly string[] {
  const rows = `${from}–${to}`
  return [
    `PgUp PgDn rows ${rows} of ${count}`,
    `PgDn rows ${rows} of ${count}`,
    `PgDn ${rows} of ${count}`,
    `${rows} of ${count}`,
  ]
}
