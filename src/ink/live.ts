import { isArmed } from './arming.ts'
import { endText } from './blocks.ts'
import { columnsOf, graphemes } from './columns.ts'
import { drawUser } from './entry.ts'
import { type Line, type Span, span, wrap } from './line.ts'
import { drawBlock } from './markdown.ts'
import { type Prompt, shownText } from './prompt.ts'
import { asked, isPermission } from './question.ts'
import { drawQuestion, drawQuestionHead, hasDraftRow, questionArea } from './question-view.ts'
import { type Draft, draftRows, type Screen, type Size } from './state.ts'
import { drawStatus } from './status.ts'
import { drawThinking } from './thinking.ts'
import { drawOpenCall } from './tools.ts'

/**
 * Draws the rows below the transcript: draft, running calls, waiting messages, prompt or question, status. Returns fewer rows than
 * the screen has, none wider than it.
 */
export function drawLive(screen: Screen): Line[] {
  // Ink draws this as a blank row, which separates the shell's next output.
  if (screen.isOver || screen.isAway) return []
  const bottom = [...drawInput(screen), drawStatus(screen)]
  const top = [...drawDraft(screen), ...drawBelowDraft(screen)]
  const left = roomOf(screen) - bottom.length
  return left > 0 ? [...top.slice(-left), ...bottom] : bottom.slice(-roomOf(screen))
}

/** Returns how many leading live rows hold the draft text, 0 if they do not show all of it. */
export function wholeDraftRows(screen: Screen): number {
  const { draft, size } = screen
  if (draft?.type !== 'text' || screen.isOver || screen.isAway) return 0
  const rows = drawText(draft, size.columns).length
  const others = drawBelowDraft(screen).length + drawInput(screen).length + 1
  return rows <= Math.min(draftRows(size), roomOf(screen) - others) ? rows : 0
}

function roomOf({ size }: Screen): number {
  return Math.max(1, size.rows - 2)
}

function drawBelowDraft(screen: Screen): Line[] {
  const { size, calls, now } = screen
  return [
    ...calls.flatMap((call) => drawOpenCall(call, now, size.columns)),
    ...waiting(screen).flatMap((text) => drawUser(`${text} (queued)`, size.columns)),
    ...(draftRows(size) > 1 ? [[]] : []),
  ]
}

/** Lists messages that were sent but not delivered. */
function waiting({ queued, task }: Screen): readonly string[] {
  return [...queued.map(({ text }) => text), ...(task?.later ?? []).map(({ text }) => text)]
}

/** Draws the model's text so far, or how long it has been thinking. */
function drawDraft({ draft, now, size }: Screen): Line[] {
  if (draft === undefined) return []
  const height = draftRows(size)
  if (draft.type === 'text') return drawText(draft, size.columns).slice(-height)
  const thought = drawThinking(draft.thinking, now, size.columns)
  return thought.length < height ? [[], ...thought] : thought.slice(0, height)
}

function drawText({ blocks, started }: Extract<Draft, { type: 'text' }>, columns: number): Line[] {
  const written = endText(blocks).flatMap((block) => drawBlock(block, columns))
  return started ? written : [[], ...written]
}

/** Draws the input: the prompt, or a question with the draft below it. */
function drawInput(screen: Screen): Line[] {
  const { questions, prompt, size } = screen
  const [question] = questions
  if (question === undefined) return drawPrompt(prompt, size, '› ')
  const isOpen = isArmed(question.arming, screen.now)
  const area = questionArea(screen)
  const draft = hasDraftRow(screen) ? drawPrompt(prompt, { ...size, rows: rowsOfOne }, '› ') : []
  if (question.words === undefined) return [...drawQuestion(question, area, isOpen), ...draft]
  const head = drawQuestionHead(question, area)
  if (draft.length > 0 && !isOpen) return [...head, ...draft]
  const mark = isPermission(asked(question)) ? 'why not? ' : isOpen ? '› ' : '  '
  return [...head, ...drawPrompt(question.words, size, mark)]
}

/** Window height at which `drawPrompt` returns one row. */
const rowsOfOne = 4

/** Draws the rows of a prompt around its cursor. */
function drawPrompt(prompt: Prompt, { columns, rows }: Size, mark: string): Line[] {
  const { cursor } = prompt
  const text = shownText(prompt)
  const width = Math.max(1, columns - 1)
  const hang = columnsOf(mark)
  const before = text.slice(0, cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1)
  const lineNumber = before.split('\n').length - 1
  const drawn = text.split('\n').map((one, i): Line[] => {
    const lead = i === 0 ? span(mark, { color: 'cyan', bold: true }) : span(' '.repeat(hang))
    const body = i === lineNumber ? withCursor(one, cursor - before.length) : [span(one)]
    return wrap([lead, ...body], width, hang)
  })
  const all = drawn.flat()
  const height = Math.max(1, Math.floor(rows / 2) - 1)
  if (all.length <= height) return all
  const cursorRow = all.findIndex((row) => row.some(({ style }) => style?.inverse === true))
  const first = Math.max(0, Math.min(cursorRow - Math.floor(height / 2), all.length - height))
  return all.slice(first, first + height)
}

function withCursor(text: string, at: number): Span[] {
  const under = graphemes(text.slice(at, at + 64))[0] ?? ''
  return [
    span(text.slice(0, at)),
    span(under === '' ? ' ' : under, { inverse: true }),
    span(text.slice(at + under.length)),
  ]
}
