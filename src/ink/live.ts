import { isArmed } from './arming.ts'
import { endText } from './blocks.ts'
import { columnsOf, graphemes } from './columns.ts'
import { drawUser } from './entry.ts'
import { type Line, type Span, span, wrap } from './line.ts'
import { drawBlock } from './markdown.ts'
import { type Prompt, shownText } from './prompt.ts'
import { asked, isPermission } from './question.ts'
import { drawQuestion, drawQuestionHead, hasDraftRow, questionRoom } from './question-view.ts'
import { type Draft, draftRows, type Screen, type Size } from './state.ts'
import { drawStatus } from './status.ts'
import { drawThinking } from './thinking.ts'
import { drawOpenCall } from './tools.ts'

/**
 * The rows below the transcript: what streams, what runs, what waits, the prompt or a question, the status. Fewer than the screen has,
 * and none wider than it.
 */
export function drawLive(screen: Screen): Line[] {
  // As Ink has it: a blank row, which sets off what the shell says next.
  if (screen.isOver || screen.isAway) return []
  const { columns, rows } = screen.size
  const room = Math.max(1, rows - 2)
  const bottom = [...drawInput(screen), drawStatus(screen)]
  const top = [
    ...(screen.draft === undefined ? [] : drawDraft(screen.draft, screen)),
    ...screen.calls.flatMap((call) => drawOpenCall(call, screen.now, columns)),
    ...waiting(screen).flatMap((text) => drawUser(`${text} (queued)`, columns)),
    ...(draftRows(screen.size) > 1 ? [[]] : []),
  ]
  const left = room - bottom.length
  return left > 0 ? [...top.slice(-left), ...bottom] : bottom.slice(-room)
}

/** What was sent and is not said yet. */
function waiting({ queued, errand }: Screen): readonly string[] {
  return [...queued.map(({ text }) => text), ...(errand?.later ?? []).map(({ text }) => text)]
}

/** Draws what the model writes, or how long it has been thinking. */
function drawDraft(draft: Draft, { now, size }: Screen): Line[] {
  const { columns } = size
  const height = draftRows(size)
  if (draft.type === 'thinking') {
    const thought = drawThinking(draft.thinking, now, columns)
    return thought.length < height ? [[], ...thought] : thought.slice(0, height)
  }
  const written = endText(draft.blocks).flatMap((block) => drawBlock(block, columns))
  return (draft.started ? written : [[], ...written]).slice(-height)
}

/** Draws the input: the prompt, or a question with the draft below it. */
function drawInput(screen: Screen): Line[] {
  const { questions, prompt, size } = screen
  const [question] = questions
  if (question === undefined) return drawPrompt(prompt, size, '› ')
  const isOpen = isArmed(question.arming, screen.now)
  const room = questionRoom(screen)
  const draft = hasDraftRow(screen) ? drawPrompt(prompt, { ...size, rows: rowsOfOne }, '› ') : []
  if (question.words === undefined) return [...drawQuestion(question, room, isOpen), ...draft]
  const head = drawQuestionHead(question, room)
  if (draft.length > 0 && !isOpen) return [...head, ...draft]
  const mark = isPermission(asked(question)) ? 'why not? ' : isOpen ? '› ' : '  '
  return [...head, ...drawPrompt(question.words, size, mark)]
}

/** Rows of a window in which a prompt has one row. */
const rowsOfOne = 4

/** The rows around the cursor of what is being written. */
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
