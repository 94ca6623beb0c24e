import { removalNote } from '../../characters/tag-characters.ts'
import { diffSize } from '../../frontend/diff/diff-rows.ts'
import { counted, formatLines } from '../../frontend/words/amount.ts'
import { denialOf } from '../../frontend/words/denial.ts'
import { formatDuration, formatElapsed } from '../../frontend/words/duration.ts'
import { errorCount } from '../../frontend/words/new-errors.ts'
import { isJsonObject } from '../../json-value.ts'
import { outputText } from '../../message.ts'
import type { ToolDisplay } from '../../tool.ts'
import { drawFoldedDiff } from '../code/diff.ts'
import { cut, type Line, lines, type Span, span, wrap } from '../rows/line.ts'
import { bodyMargin, drawRow, indent } from '../rows/row.ts'
import { spinnerAt } from '../rows/spinner.ts'
import { allLines, type EndedCall, isWhole, type OpenCall, runTime } from './call.ts'
import { type Drawing, plainDrawing } from './drawing.ts'
import { drawEndedElf, readEndedElf } from './elf-view.ts'
import { drawFailure, drawRefusal, exitWords, hasBadArguments } from './failure.ts'
import { drawFoundErrors } from './found-errors.ts'
import { drawItems, itemsOf } from './plan.ts'
import { countFound } from './shown-reads.ts'

/** How calls are shown. Absent parts use the default for all tools. */
interface CallView {
  /** Returns the outcome in a few words. */
  readonly size?: (call: EndedCall) => string
  /** Draws the rows below the line of a successful call. */
  readonly body?: (call: EndedCall, width: number, drawing: Drawing) => Line[]
  /** Whether a failure comes with output, of which the telling lines are shown. */
  readonly hasOutput?: boolean
  /** Draws the output of a call that ended in any way. */
  readonly output?: (call: EndedCall, width: number, drawing: Drawing) => Line[]
}

const views: Readonly<Record<ToolDisplay, CallView>> = {
  lines: {},
  file: {},
  matches: { size: ({ text }) => counted(countFound(text), 'match').replace('matchs', 'matches') },
  files: { size: ({ text }) => counted(countFound(text), 'file') },
  command: {
    size: (call) => {
      const process = detail(call, 'process')
      return process === '' ? countLines(call) : `goes on as ${process}`
    },
    hasOutput: true,
  },
  process: { hasOutput: true },
  output: { output: (call, width, { outputKey }) => drawOwnOutput(call, width, outputKey) },
  diff: {
    size: (call) => {
      const diff = detail(call, 'diff')
      return diff === '' ? '' : diffSize([diff]).replace('-', '−')
    },
    body: (call, width, { syntax }) => {
      const diff = detail(call, 'diff')
      return diff === '' ? [] : drawFoldedDiff(diff, width, syntax)
    },
  },
  file_change: { size: () => '' },
  elf: { size: () => '' },
  plan: {
    size: ({ text }) => text,
    body: ({ details }, width) => drawItems(itemsOf(details), width),
  },
  answers: {
    size: () => '',
    body: ({ text }, width) => {
      const margin = bodyMargin(width)
      return lines(text, { color: 'muted' }).flatMap((one) =>
        wrap([span(' '.repeat(margin)), ...one], width, margin + 2),
      )
    },
  },
}

function viewOf({ look: { display = 'lines' } }: Pick<EndedCall, 'look'>): CallView {
  return views[display]
}

/** Rows shown of a running command's latest output, and of an interrupted one's last output. */
const tailLines = 5
/** Characters of a target and of a line of output that are drawn. */
const longestTarget = 1_000

/** Draws an ended call: one line, then its diff if it changed a file, or why it failed. */
export function drawEndedCall(call: EndedCall, width: number, drawing = plainDrawing): Line[] {
  const ended = call.look.display === 'elf' ? readEndedElf(call) : undefined
  if (ended !== undefined) return [drawEndedElf(call, ended, width)]
  return [drawEndedRow(call, width), ...drawBody(call, width, drawing)]
}

/** Draws an ended call in one row, without what comes below it. */
export function drawEndedRow(call: EndedCall, width: number): Line {
  const view = viewOf(call)
  const outcome = outcomeOf(call, view)
  return titleRow(
    call,
    {
      mark: markOf(call),
      facts: [outcome, errorCount(call.details)].filter((fact) => fact !== ''),
      // One that did not run took no time.
      ...(call.durationMs !== undefined &&
        denialOf(call) === undefined && { time: formatDuration(call.durationMs) }),
    },
    width,
  )
}

function markOf(call: EndedCall): Span {
  if (call.isInterrupted === true || denialOf(call) !== undefined) return span('–', { color: 'muted' })
  return call.isError ? span('✗', { color: 'bad', bold: true }) : span('●', { color: 'muted' })
}

function outcomeOf(call: EndedCall, view: CallView): string {
  if (call.isInterrupted === true) return 'interrupted'
  const denial = denialOf(call)
  if (denial !== undefined) return denial.fact
  return call.isError ? exitWords(call) : (view.size ?? countLines)(call)
}

function drawBody(call: EndedCall, width: number, drawing: Drawing): Line[] {
  const view = viewOf(call)
  if (view.output !== undefined) return view.output(call, width, drawing)
  if (call.isInterrupted === true) return drawTail(call.text, width)
  const denial = denialOf(call)
  if (denial !== undefined) return denial.words === undefined ? [] : [below(denial.words, width)]
  if (call.isError) {
    return view.hasOutput === true && !hasBadArguments(call)
      ? drawFailure(call, width, drawing.outputKey)
      : drawRefusal(call, width)
  }
  return [
    ...drawRemoval(call, width),
    ...(view.body?.(call, width, drawing) ?? []),
    ...drawFoundErrors(call.details, width),
  ]
}

interface OpenCallOptions {
  readonly now: number
  readonly width: number
  /** Whether the open question is about it, so that it does not run yet. */
  readonly isAsked?: boolean
}

/** Draws a call that runs, waits, or is still being written: target, elapsed time, and the last lines of output. */
export function drawOpenCall(call: OpenCall, options: OpenCallOptions): Line[] {
  const { width } = options
  return [titleRow(call, openTitle(call, options), width), ...drawTail(call.output, width)]
}

function openTitle(call: OpenCall, { now, isAsked = false }: OpenCallOptions): Title {
  const time = runTime(call, now)
  if (isAsked) return { mark: span('?', { color: 'warning', bold: true }), facts: ['waits for you'] }
  if (time === undefined) {
    return { mark: span('○', { color: 'faint' }), facts: [isWhole(call) ? 'waits' : 'is being written'] }
  }
  return { mark: span(spinnerAt(now), { color: 'accent' }), facts: [], time: formatElapsed(time) }
}

/** Draws the last lines of a command's output. */
function drawTail(text: string, width: number): Line[] {
  const output = text.trimEnd()
  const tail = output === '' ? [] : output.split('\n').slice(-tailLines)
  return tail.map((one) => below(one.slice(one.lastIndexOf('\r') + 1), width))
}

/** Rows shown of the output of the user's own command. */
const ownRows = 20

/** Draws the last lines of the output of the user's own command, with the key that shows all of it. */
function drawOwnOutput(call: EndedCall, width: number, key: string): Line[] {
  const output = outputText(call.text.trimEnd())
  const all = output === '' ? [] : output.split('\n')
  const left = (allLines(call) ?? all.length) - ownRows
  const more = left > 0 ? [below(`… ${formatLines(left)} above   ${key}`, width)] : []
  return [...more, ...all.slice(-ownRows).map((one) => ownRow(one, width))]
}

function ownRow(text: string, width: number): Line {
  return cut([span(' '.repeat(indent)), span(text.slice(0, longestTarget))], width)
}

/** Draws a quiet row below the row of a call. */
function below(text: string, width: number): Line {
  return cut(
    [span(' '.repeat(bodyMargin(width))), span(text.slice(0, longestTarget), { color: 'muted' })],
    width,
  )
}

interface Title {
  readonly mark: Span
  readonly facts: readonly string[]
  readonly time?: string
}

function titleRow(call: Pick<EndedCall, 'name' | 'look' | 'arguments'>, title: Title, width: number): Line {
  const target = targetOf(call)
  return drawRow({ ...title, name: span(call.name), target: target === '' ? [] : [span(target)] }, width)
}

/** Returns the target of a call in one line. Default: its first text argument. */
function targetOf({ look, arguments: args }: Pick<EndedCall, 'look' | 'arguments'>): string {
  const fields = isJsonObject(args) ? args : {}
  const first = Object.values(fields).find((value) => typeof value === 'string') ?? ''
  const target = look.target?.(args) ?? String(first)
  return target.slice(0, longestTarget).replace(/\s+/g, ' ').trim()
}

function countLines(call: EndedCall): string {
  const text = outputText(call.text)
  const count = text === '' ? 0 : (allLines(call) ?? text.split('\n').length)
  return count === 0 ? '' : formatLines(count)
}

function drawRemoval({ details }: EndedCall, width: number): Line[] {
  const removal = removalNote(details)
  return removal === undefined
    ? []
    : [cut([span(' '.repeat(bodyMargin(width))), span(removal, { color: 'warning' })], width)]
}

function detail({ details }: EndedCall, name: string): string {
  const value = isJsonObject(details) ? details[name] : undefined
  return typeof value === 'string' ? value : ''
}
