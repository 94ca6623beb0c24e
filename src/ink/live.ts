import { answerable, isDraftInTheWay } from './attention.ts'
import { type Block, endText } from './blocks.ts'
import { drawUser } from './entry.ts'
import { columnsOf, graphemes, type Line, type Span, span, wrap } from './line.ts'
import { drawBlock } from './markdown.ts'
import { type Prompt, shownText } from './prompt.ts'
import { asked, drawQuestion, drawQuestionHead, isPermission } from './question.ts'
import type { Draft, Screen, Size } from './state.ts'
import { drawStatus } from './status.ts'
import { drawThinking } from './thinking.ts'
import { drawOpenCall } from './tools.ts'

/** Rows that what streams leaves to the rest. */
const keptRows = 8
/** Characters of a long block that are drawn while it goes on, or as many as the screen has cells. */
const leastWindow = 4_000

/**
 * The rows below the transcript: what streams, what runs, what waits, the prompt or a question, the status. Fewer than the screen has,
 * and none wider than it.
 */
export function drawLive(screen: Screen): Line[] {
  if (screen.isOver || screen.isAway) return []
  const { columns, rows } = screen.size
  const room = Math.max(1, rows - 2)
  const bottom = [...drawInput(screen), drawStatus(screen)]
  const top = [
    ...(screen.draft === undefined ? [] : drawDraft(screen.draft, screen)),
    ...screen.calls.flatMap((call) => drawOpenCall(call, screen.now, columns)),
    ...waiting(screen).flatMap((text) => drawUser(`${text} (queued)`, columns)),
    ...(rows > keptRows ? [[]] : []),
  ]
  const left = room - bottom.length
  return left > 0 ? [...top.slice(-left), ...bottom] : bottom.slice(-room)
}

/** What was sent and is not said yet. */
function waiting({ queued, errand }: Screen): readonly string[] {
  return [...queued.map(({ text }) => text), ...(errand?.later ?? [])]
}

/** The end of what the model writes; of what it thinks the beginning, which says for how long. */
function drawDraft(draft: Draft, { now, size }: Screen): Line[] {
  const { columns, rows } = size
  const height = Math.max(1, rows - keptRows)
  if (draft.type === 'thinking') {
    const thought = drawThinking(draft.thinking, now, columns)
    return thought.length < height ? [[], ...thought] : thought.slice(0, height)
  }
  const written = endText(draft.blocks).flatMap((block) => drawBlock(endOf(block, size), columns))
  return (draft.started ? written : [[], ...written]).slice(-height)
}

/**
 * As much of a block as can be on the screen: its last lines, below the head where it is a table. The whole of it is read when it is
 * final; to read it anew for each delta would cost more the longer it gets. A long line is cut where it was cut before for as long
 * as that may be, so that its rows seldom break anew.
 */
function endOf(block: Block, { columns, rows }: Size): Block {
  const window = Math.max(leastWindow, columns * rows)
  const start = Math.max(0, Math.floor(block.text.length / window) - 1) * window
  const end = block.text.slice(start).split('\n').slice(-rows)
  const [first = '', second = ''] = block.text.split('\n', 2)
  const head = /^[\s:|-]*\|[\s:|-]*$/.test(second) ? [first, second] : []
  const text = [...head, ...end].join('\n')
  return text.length < block.text.length ? { ...block, text } : block
}

/** Where the person writes: the prompt, the answer to a question, or the keys that answer it. */
function drawInput(screen: Screen): Line[] {
  const { questions, prompt, size } = screen
  const [question] = questions
  if (question === undefined) return drawPrompt(prompt, size, '› ')
  const isOpen = answerable(screen, screen.now) !== undefined
  if (question.words === undefined) {
    return drawQuestion(question, size, isOpen && !isDraftInTheWay(screen, question))
  }
  const mark = isPermission(asked(question)) ? 'why not? ' : isOpen ? '› ' : '  '
  return [...drawQuestionHead(question, size), ...drawPrompt(question.words, size, mark)]
}

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
