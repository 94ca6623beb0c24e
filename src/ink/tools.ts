import { isJsonObject, type JsonValue } from '../json-value.ts'
import { formatLines } from '../text/amount.ts'
import { diffSize } from '../text/diff-rows.ts'
import { removalNote } from '../text/tag-characters.ts'
import { drawDiff } from './diff.ts'
import { drawEndedElf, readEndedElf } from './elf-view.ts'
import { formatDuration, formatElapsed } from './format.ts'
import { cut, type Line, line, lines, span, wrap } from './line.ts'
import { drawPlan } from './plan.ts'
import { type EndedCall, isWhole, type OpenCall } from './state.ts'

/** How one tool is shown. Absent parts use the default for all tools. */
interface ToolView {
  /** Returns the target of the call in one line. */
  readonly target?: (args: Arguments) => string
  /** Returns the outcome in a few words. */
  readonly size?: (call: EndedCall) => string
  /** Draws the rows below the line of a successful call. */
  readonly body?: (call: EndedCall, width: number) => Line[]
}

type Arguments = (name: string) => string

const edit: ToolView = {
  target: (of) => of('path'),
  size: (call) => {
    const diff = detail(call, 'diff')
    return diff === '' ? '' : diffSize(diff)
  },
  body: (call, width) => {
    const diff = detail(call, 'diff')
    return diff === '' ? [] : drawDiff(diff, width)
  },
}

const search: ToolView = { target: (of) => [of('pattern'), of('path')].filter(Boolean).join(' in ') }

const elf: ToolView = {
  target: (of) => [of('action'), of('agent'), of('id'), of('prompt')].filter(Boolean).join(' '),
  size: () => '',
}

const views: Readonly<Record<string, ToolView>> = {
  bash: {
    target: (of) => of('command'),
    size: (call) => {
      const process = detail(call, 'process')
      return process === '' ? countLines(call) : `in the background as ${process}`
    },
  },
  process: { target: (of) => [of('action'), of('id'), of('input')].filter(Boolean).join(' ') },
  edit,
  write: edit,
  elf,
  read: { target: (of) => of('path') },
  grep: search,
  glob: search,
  todo: { size: ({ text }) => text, body: ({ details }, width) => drawPlan(details, width) },
  ask: {
    size: () => '',
    body: ({ text }, width) =>
      lines(text, { dim: true }).flatMap((one) => wrap([span('  '), ...one], width, 4)),
  },
}

/** Lines shown of a failed call's text, and of a running command's latest output. */
const failureLines = 6
const tailLines = 5

/** Draws an ended call: one line, then its diff if it changed a file, or its error if it failed. */
export function drawEndedCall(call: EndedCall, width: number): Line[] {
  const ended = call.name === 'elf' ? readEndedElf(call) : undefined
  if (ended !== undefined) return [drawEndedElf(call, ended, width)]
  const view = views[call.name] ?? {}
  const mark = call.isError ? span('✗ ', { color: 'red', bold: true }) : span('● ', { color: 'green' })
  const facts = [
    ...(call.durationMs === undefined ? [] : [formatDuration(call.durationMs)]),
    call.isInterrupted === true ? 'interrupted' : call.isError ? '' : (view.size ?? countLines)(call),
  ].filter((fact) => fact !== '')
  return [title([mark], call, facts.join(' · '), width), ...drawBody(call, view, width)]
}

function drawBody(call: EndedCall, view: ToolView, width: number): Line[] {
  if (call.isInterrupted === true) return drawTail(call.text, width)
  if (call.isError) return drawFailure(call.text, width)
  return [...drawRemoval(call, width), ...(view.body?.(call, width) ?? [])]
}

/** Draws a call that runs, waits, or is still being written: target, elapsed time, and the last lines of output. */
export function drawOpenCall(call: OpenCall, now: number, width: number): Line[] {
  const running = call.startedAt !== undefined
  const pending = isWhole(call) ? 'waiting' : 'writing'
  const elapsed = running ? formatElapsed(now - (call.startedAt ?? now)) : pending
  return [
    title([span(running ? '◐ ' : '○ ', { color: 'yellow' })], call, elapsed, width),
    ...drawTail(call.output, width),
  ]
}

/** Draws the last lines of a command's output. */
function drawTail(text: string, width: number): Line[] {
  const output = text.trimEnd()
  const tail = output === '' ? [] : output.split('\n').slice(-tailLines)
  return tail.map((one) => cut([span('  '), span(one.replace(/.*\r/, ''), { dim: true })], width))
}

/** Draws one line: mark, name, target as far as it fits, facts. */
function title(
  mark: Line,
  { name, arguments: args }: Pick<EndedCall, 'name' | 'arguments'>,
  facts: string,
  width: number,
): Line {
  const target = targetOf(name, args)
  const head: Line = [...mark, span(name, { bold: true }), ...(target === '' ? [] : [span(` ${target}`)])]
  if (facts === '') return cut(head, width)
  const room = width - facts.length - 2
  return room < 12 ? cut(head, width) : [...cut(head, room), span(`  ${facts}`, { dim: true })]
}

/** Returns the target of a call in one line. Default: its first text argument. */
function targetOf(name: string, args: JsonValue): string {
  const fields = isJsonObject(args) ? args : {}
  const of = (field: string) => {
    const value = fields[field]
    return typeof value === 'string' ? value : ''
  }
  const target =
    views[name]?.target?.(of) ?? Object.values(fields).find((value) => typeof value === 'string') ?? ''
  return String(target).replace(/\s+/g, ' ').trim()
}

function countLines({ text }: EndedCall): string {
  return text === '' || text === '(no output)' ? '' : formatLines(text.split('\n').length)
}

function drawFailure(text: string, width: number): Line[] {
  const all = text.trimEnd().split('\n')
  const shown = all
    .slice(-failureLines)
    .flatMap((one) => wrap([span('  '), span(one, { color: 'red' })], width, 2))
  const left = all.length - failureLines
  return left > 0 ? [line(`  … ${formatLines(left)} above`, { dim: true }), ...shown] : shown
}

function drawRemoval({ details }: EndedCall, width: number): Line[] {
  const removal = removalNote(details)
  return removal === undefined ? [] : [cut([span(`  ${removal}`, { color: 'yellow' })], width)]
}

function detail({ details }: EndedCall, name: string): string {
  const value = isJsonObject(details) ? details[name] : undefined
  return typeof value === 'string' ? value : ''
}
