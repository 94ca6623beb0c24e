import { endText } from './blocks.ts'
import { drawThinking, drawUser } from './entry.ts'
import { formatCount, formatElapsed } from './format.ts'
import { columnsOf, cut, graphemes, type Line, line, type Span, span, wrap } from './line.ts'
import { drawBlock } from './markdown.ts'
import { drawQuestion } from './question.ts'
import type { Draft, Screen } from './state.ts'
import { drawOpenCall } from './tools.ts'

/** Rows that what streams leaves to the rest. */
const keptRows = 8

/**
 * The rows below the transcript: what streams, what runs, what waits, the prompt or a question, the status. Fewer than the screen has,
 * and none wider than it.
 */
export function drawLive(screen: Screen): Line[] {
  if (screen.isOver) return []
  const { columns, rows } = screen.size
  const room = Math.max(1, rows - 2)
  const [question] = screen.questions
  const asked = question === undefined ? [] : drawQuestion(question, screen.size)
  const isWriting = question === undefined || question.explaining
  const input = isWriting ? drawPrompt(screen, question === undefined ? '› ' : 'why not? ') : []
  const bottom = [
    ...(question?.explaining === true ? asked.slice(0, 1) : asked),
    ...input,
    drawStatus(screen),
  ]
  const draft =
    screen.draft === undefined ? [] : drawDraft(screen.draft, columns).slice(-Math.max(1, rows - keptRows))
  const top = [
    ...draft,
    ...screen.calls.flatMap((call) => drawOpenCall(call, screen.now, columns)),
    ...screen.queued.flatMap(({ text }) => drawUser(`${text} (queued)`, columns)),
    ...(rows > keptRows ? [[]] : []),
  ]
  const left = room - bottom.length
  return left > 0 ? [...top.slice(-left), ...bottom] : bottom.slice(-room)
}

function drawDraft(draft: Draft, width: number): Line[] {
  if (draft.type === 'thinking') return [[], drawThinking(draft.text, width, true)]
  const rows = endText(draft.blocks).flatMap((block) => drawBlock(block, width))
  return draft.started ? rows : [[], ...rows]
}

/** The rows around the cursor of what is being written. */
function drawPrompt({ prompt, size: { columns, rows } }: Screen, mark: string): Line[] {
  const width = Math.max(1, columns - 1)
  const hang = columnsOf(mark)
  const { text, cursor } = prompt
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

function drawStatus({ status, busySince, now, quitAsked, size }: Screen): Line {
  if (quitAsked !== undefined) return cut(line('Ctrl+C again quits', { color: 'yellow' }), size.columns)
  const { mode, model, contextTokens, contextWindow, usage, costUsd, branch } = status
  const total = usage.inputTokens + usage.outputTokens
  const facts = [
    mode ?? '',
    model,
    contextTokens === undefined || contextWindow === undefined
      ? ''
      : `${Math.round((100 * contextTokens) / contextWindow)} % context`,
    total === 0 ? '' : `${formatCount(total)} tokens`,
    costUsd === undefined ? '' : `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`,
    branch ?? '',
  ].filter((fact) => fact !== '')
  const working: Line =
    busySince === undefined
      ? []
      : [
          span(`◐ ${formatElapsed(now - busySince)} · esc stops`, { color: 'yellow' }),
          span(' · ', { dim: true }),
        ]
  return cut([...working, span(facts.join(' · '), { dim: true })], size.columns)
}
