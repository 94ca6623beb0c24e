import { oneLine } from '../../characters/one-line.ts'
import { drawSecret } from '../choices/secret-entry.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { drawCompletion } from '../completion/completion-view.ts'
import { keyHint, keyOf } from '../keys/bindings.ts'
import { drawKeys } from '../keys/shown-keys.ts'
import { endText } from '../markdown/blocks.ts'
import { liveRoom } from '../paint/frame-stream.ts'
import { drawPanel } from '../panel/panel-view.ts'
import { drawPicker, pickerArea } from '../picker/picker-view.ts'
import { drawEmptyPrompt } from '../prompt/empty-prompt.ts'
import { sentText } from '../prompt/prompt.ts'
import { drawDraftOf, drawPrompt, rowsOfOne } from '../prompt/prompt-view.ts'
import { drawSearch } from '../prompt/search-view.ts'
import { isArmed } from '../question/arming.ts'
import { asked, type Question } from '../question/asked-question.ts'
import { isPermission } from '../question/choice.ts'
import { drawFoot } from '../question/question-hint.ts'
import { drawQuestion, drawQuestionHead, hasDraftRow, questionArea } from '../question/question-view.ts'
import { drawRetry } from '../retry.ts'
import { cut, type Line, line, span } from '../rows/line.ts'
import { modeColor } from '../rows/mode-color.ts'
import { indent, indented, proseWidth, withRight } from '../rows/row.ts'
import type { ElfState } from '../shown-elf.ts'
import { type Draft, draftRows, type Entry, type Screen } from '../state.ts'
import { drawStatus } from '../status.ts'
import { type EndedCall, isUnstarted, type OpenCall } from '../transcript/call.ts'
import { drawElf, measureElves } from '../transcript/elf-view.ts'
import { drawProse } from '../transcript/entry.ts'
import { drawPlanRow } from '../transcript/plan.ts'
import { isApart, partOf, type TranscriptPart } from '../transcript/rhythm.ts'
import { drawReads } from '../transcript/shown-reads.ts'
import { drawEndedRow, drawOpenCall } from '../transcript/shown-tools.ts'
import { drawThinking } from '../transcript/thinking-text.ts'

/**
 * Draws the rows below the transcript: draft, running calls, waiting messages, prompt or question, status. Returns fewer rows than
 * the screen has, none wider than it.
 */
export function drawLive(screen: Screen): Line[] {
  // Ink draws this as a blank row, which separates the shell's next output.
  if (screen.isOver || screen.isAway) return []
  return [...drawTail(screen), ...drawBelowTail(screen)].slice(-liveRoom(screen.size))
}

/** Draws what stands below the draft, in the order of the components. */
function drawBelowTail(screen: Screen): Line[] {
  const parts = [drawActivity, drawPlan, drawWaiting, drawKeys, drawPromptRule, drawInput, drawStatusRows]
  return parts.flatMap((draw) => draw(screen))
}

/** Returns how many leading live rows hold the draft text, 0 if they do not show all of it. */
export function wholeDraftRows(screen: Screen): number {
  const { draft, size } = screen
  if (draft?.type !== 'text' || screen.isOver || screen.isAway) return 0
  const rows = drawText(draft, size.columns, screen.last).length
  const left = liveRoom(screen.size) - drawBelowTail(screen).length
  return rows <= Math.min(draftRows(size), left) ? rows : 0
}

/** Whether the prompt is shown, and neither a question nor a list. */
function isPrompting({ questions, picker, panel }: Screen): boolean {
  return questions.length === 0 && picker === undefined && panel === undefined
}

/** Rows of a window from which the prompt has rules around it. */
const rulesFrom = 16

/**
 * Draws the rule above or below the prompt, in the colour of the mode. There is none while a turn runs: it would be written again with
 * each finished paragraph, at 3 bytes a column.
 */
export function drawPromptRule(screen: Screen): Line[] {
  const { size, busySince, status } = screen
  if (busySince !== undefined || size.rows < rulesFrom || !isPrompting(screen)) return []
  const isUsual = status.mode === undefined || status.mode === 'default'
  return [line('─'.repeat(size.columns), { color: isUsual ? 'faint' : modeColor(status.mode) })]
}

/** Draws the prompt: the draft, or what can be written there. */
export function drawPromptRows(screen: Screen, hasCaret = false): Line[] {
  const { prompt, size, hasCursorShapes } = screen
  const rows = prompt.text === '' ? [drawEmptyPrompt(screen)] : drawDraftOf(prompt, size)
  return hasCaret && hasCursorShapes && prompt.vim !== undefined ? rows.map(withoutBlock) : rows
}

/** Draws no block in the place of the terminal's cursor, whose form tells the mode. */
function withoutBlock(row: Line): Line {
  return row.map(({ text, style }) =>
    style?.isCursor === true ? { text, style: { isCursor: true } } : { text, ...(style && { style }) },
  )
}

/** Draws the status, with the rule above it. A question and a list have the status as their last row. */
export function drawStatusRows(screen: Screen): Line[] {
  return [...drawPromptRule(screen), ...drawOwnStatus(screen), drawStatus(screen)]
}

/** Draws what the user's own command wrote, where a prompt and room are. It never replaces the status, which tells the mode. */
function drawOwnStatus(screen: Screen): Line[] {
  const { size, status } = screen
  if (size.rows < rulesFrom || !isPrompting(screen)) return []
  return (status.own ?? []).map((row) => cut(row, size.columns))
}

/** Draws what runs: calls and elves, and the wait for another attempt. */
export function drawActivity(screen: Screen): Line[] {
  const { size, draft, last } = screen
  const retrying = drawRetry({ ...screen, size: { ...size, columns: proseWidth(size.columns) } })
  const calls = [...drawCalls(screen), ...indented(retrying)]
  const before = draft === undefined ? last && partOf(last) : partOfDraft(draft)
  const gap = calls.length > 0 && isApart('calls', before) ? [[]] : []
  return [...gap, ...calls, ...blankOf(screen)]
}

/** A blank row, where there is room for it. */
function blankOf({ size }: Screen): Line[] {
  return draftRows(size) > 1 ? [[]] : []
}

function partOfDraft({ type }: Draft): TranscriptPart {
  return type === 'text' ? 'prose' : 'thought'
}

/** Draws the list of what is to be done, as long as something of it is and a turn runs. */
export function drawPlan({ plan, busySince, size }: Screen): Line[] {
  if (plan === undefined || busySince === undefined) return []
  const isOpen = plan.items.some(({ status }) => status !== 'done')
  return isOpen || (plan.isNews && plan.items.length > 0) ? [drawPlanRow(plan.items, size.columns)] : []
}

/** Rows of elves at once, which leave room for the rest. */
const elfRows = 8

/** Draws the open calls, elves in the place of the calls that run them, then the elves in the background. */
function drawCalls({ calls, looks, elves, panel, questions, now, size: { columns } }: Screen): Line[] {
  const isIn = ({ start }: ElfState, { id }: OpenCall) => start.callId === id && start.isBackground !== true
  const running = elves.filter((elf) => elf.state === 'running' || calls.some((call) => isIn(elf, call)))
  // The open list of elves shows them itself.
  const shown = new Set(panel?.type === 'elves' ? [] : running.slice(0, elfRows))
  const more = panel?.type === 'elves' ? 0 : running.length - shown.size
  const widths = measureElves([...shown])
  const asking = questions.length === 0 ? undefined : calls.find(isUnstarted)
  const draw = (elf: ElfState) => {
    const row = drawElf(elf, { now, columns: Math.max(1, columns - indent), widths })
    return shown.has(elf) ? [cut([span(' '.repeat(indent)), ...row], columns)] : []
  }
  return [
    ...(looks.length === 0 ? [] : [drawLooks(looks, columns)]),
    ...calls.flatMap((call) => {
      // One that has ended may still offer its changes.
      const elf = elves.find((one) => isIn(one, call))
      if (elf !== undefined) return draw(elf)
      return call.ended === undefined
        ? drawOpenCall(call, { now, width: columns, isAsked: call === asking })
        : [drawEndedRow(call.ended, columns)]
    }),
    ...running.filter((elf) => !calls.some((call) => isIn(elf, call))).flatMap(draw),
    ...(more === 0 ? [] : [cut(line(`  … ${more} more   /elves`, { color: 'faint' }), columns)]),
  ]
}

function drawLooks(looks: readonly EndedCall[], columns: number): Line {
  const [only] = looks
  return looks.length === 1 && only !== undefined ? drawEndedRow(only, columns) : drawReads(looks, columns)
}

/** Messages that wait, of which rows are drawn. */
const waitingRows = 4
/** Characters of a waiting message that are drawn. */
const longestWaiting = 400

/** Draws the messages that were sent but not delivered, a row each, with the key that takes the newest one back. */
export function drawWaiting(screen: Screen): Line[] {
  const { queued, task, bindings, size } = screen
  const later = (task?.later ?? []).map(({ text }) => ({ text, kind: 'next' as const }))
  const messages = [...queued, ...later]
  const left = messages.length - waitingRows
  const more = left > 0 ? [line(`  ↳ ${left} more`, { color: 'faint' })] : []
  const key = keyOf(bindings, 'take_back')
  const rows = messages.slice(-waitingRows).map(({ text, kind }, i, all): Line => {
    const words = span(oneLine(text, longestWaiting), { color: 'muted' })
    const row: Line = [span(`  ↳ ${kind}: `, { color: 'faint' }), words]
    const hints = i === all.length - 1 ? [keyHint(bindings, 'take_back', 'takes it back'), key] : []
    return withRight(row, [...hints.map((hint) => line(hint, { color: 'faint' })), []], size.columns)
  })
  const isAhead = rows.length > 0 || drawPlan(screen).length > 0
  return [...more, ...rows, ...(isAhead && !isPrompting(screen) ? blankOf(screen) : [])]
}

/** Draws the model's text so far, or how long it has been thinking. */
export function drawTail({ draft, last, now, size, syntax }: Screen): Line[] {
  if (draft === undefined) return []
  const height = draftRows(size)
  if (draft.type === 'text') return drawText(draft, size.columns, last, syntax).slice(-height)
  const gap = isApart('thought', last && partOf(last)) ? [[]] : []
  const thought = drawThinking(draft.thinking, now, size.columns)
  return thought.length < height ? [...gap, ...thought] : thought.slice(0, height)
}

function drawText(
  { blocks, started }: Extract<Draft, { type: 'text' }>,
  columns: number,
  last: Entry | undefined,
  syntax?: Syntax,
): Line[] {
  const written = endText(blocks).flatMap((block) => drawProse(block, columns, syntax))
  const isSetOff = started ? last?.type === 'note' : isApart('prose', last && partOf(last))
  return isSetOff ? [[], ...written] : written
}

/** Draws the input: the prompt, a list to choose from, or a question with the draft below it. */
function drawInput(screen: Screen): Line[] {
  const { questions, picker, secret, panel, search, size } = screen
  const [question] = questions
  if (question !== undefined) return drawQuestionInput(screen, question)
  if (picker !== undefined) return drawPicker(picker, pickerArea(screen))
  if (secret !== undefined) return drawSecret(secret, size.columns)
  if (panel !== undefined) return drawPanel(screen, panel)
  if (search !== undefined) return drawSearch(screen, search)
  return [...drawPromptRows(screen), ...drawCompletion(screen)]
}

/** Draws a question with the draft below it, or with the words that the user answers. */
export function drawQuestionInput(screen: Screen, question: Question): Line[] {
  const { prompt, size } = screen
  const isOpen = isArmed(question.arming, screen.now)
  const area = questionArea(screen)
  const draft = hasDraftRow(screen) ? drawDraftOf(prompt, { ...size, rows: rowsOfOne }) : []
  if (question.words === undefined) {
    const below = isOpen && draft.length > 0 ? [drawKeptDraft(sentText(prompt), size.columns)] : draft
    return [...drawQuestion(question, area, isOpen), ...drawFoot(screen, question), ...below]
  }
  const head = drawQuestionHead(question, area)
  if (draft.length > 0 && !isOpen) return [...head, ...draft]
  const mark = isPermission(asked(question)) ? 'why not? ' : isOpen ? '› ' : '  '
  return [...head, ...drawPrompt(question.words, size, mark)]
}

/** Says that keys answer the question and the draft waits. */
function drawKeptDraft(draft: string, columns: number): Line {
  return cut(line(`   your draft is kept: "${draft.replace(/\s+/g, ' ')}"`, { color: 'muted' }), columns)
}
