import { isArmed } from './arming.ts'
import { endText } from './blocks.ts'
import type { ElfState } from './elf.ts'
import { drawElf, measureElves } from './elf-view.ts'
import { drawUser } from './entry.ts'
import { cut, type Line, line } from './line.ts'
import { drawBlock } from './markdown.ts'
import { drawPanel } from './panel/panel-view.ts'
import { drawPicker, pickerArea } from './picker-view.ts'
import { drawPrompt, rowsOfOne } from './prompt-view.ts'
import { asked, isPermission } from './question.ts'
import { drawQuestion, drawQuestionHead, hasDraftRow, questionArea } from './question-view.ts'
import { type Draft, draftRows, type OpenCall, type Screen } from './state.ts'
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
  const { size } = screen
  return [
    ...drawCalls(screen),
    ...waiting(screen).flatMap((text) => drawUser(`${text} (queued)`, size.columns)),
    ...(draftRows(size) > 1 ? [[]] : []),
  ]
}

/** Rows of elves at once, which leave room for the rest. */
const elfRows = 8

/** Draws the open calls, elves in the place of the calls that run them, then the elves in the background. */
function drawCalls({ calls, elves, panel, now, size: { columns } }: Screen): Line[] {
  const isIn = ({ start }: ElfState, { id }: OpenCall) => start.callId === id && start.isBackground !== true
  const running = elves.filter((elf) => elf.state === 'running' || calls.some((call) => isIn(elf, call)))
  // The open list of elves shows them itself.
  const shown = new Set(panel?.type === 'elves' ? [] : running.slice(0, elfRows))
  const more = panel?.type === 'elves' ? 0 : running.length - shown.size
  const widths = measureElves([...shown])
  const draw = (elf: ElfState) => (shown.has(elf) ? [drawElf(elf, { now, columns, widths })] : [])
  return [
    ...calls.flatMap((call) => {
      // One that has ended may still offer its changes.
      const elf = elves.find((one) => isIn(one, call))
      return elf === undefined ? drawOpenCall(call, now, columns) : draw(elf)
    }),
    ...running.filter((elf) => !calls.some((call) => isIn(elf, call))).flatMap(draw),
    ...(more === 0 ? [] : [cut(line(`… ${more} more: /elves`, { dim: true }), columns)]),
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

/** Draws the input: the prompt, a list to choose from, or a question with the draft below it. */
function drawInput(screen: Screen): Line[] {
  const { questions, picker, panel, prompt, size } = screen
  const [question] = questions
  if (question === undefined && picker !== undefined) return drawPicker(picker, pickerArea(screen))
  if (question === undefined && panel !== undefined) return drawPanel(screen, panel)
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
