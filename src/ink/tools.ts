import { isJsonObject, type JsonValue } from '../json-value.ts'
import { removalNote } from '../tag-characters.ts'
import { diffSize, drawDiff } from './diff.ts'
import { formatDuration, formatElapsed, formatLines } from './format.ts'
import { cut, type Line, line, lines, span, wrap } from './line.ts'
import { drawPlan } from './plan.ts'
import { type EndedCall, isWhole, type OpenCall } from './state.ts'

/** How one tool is shown. What is left out is shown as for any tool. */
interface ToolView {
  /** What the call is about, in one line. */
  readonly target?: (args: Arguments) => string
  /** What came of it, in a few words. */
  readonly size?: (call: EndedCall) => string
  /** What is shown below the line of a call that went well. */
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

/** Lines of what a failed call said that are shown, and of what a running command wrote last. */
const failureLines = 6
const tailLines = 5

/** A call that has ended: one line, a diff where it changed a file, and what went wrong where it failed. */
export function drawEndedCall(call: EndedCall, width: number): Line[] {
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

/** A call that runs, waits, or is still being written: what it is about, for how long, and the last lines of its output. */
export function drawOpenCall(call: OpenCall, now: number, width: number): Line[] {
  const running = call.startedAt !== undefined
  const pending = isWhole(call) ? 'waiting' : 'writing'
  const elapsed = running ? formatElapsed(now - (call.startedAt ?? now)) : pending
  return [
    title([span(running ? '◐ ' : '○ ', { color: 'yellow' })], call, elapsed, width),
    ...drawTail(call.output, width),
  ]
}

/** The last lines of what a command wrote. */
function drawTail(text: string, width: number): Line[] {
  const output = text.trimEnd()
  const tail = output === '' ? [] : output.split('\n').slice(-tailLines)
  return tail.map((one) => cut([span('  '), span(one.replace(/.*\r/, ''), { dim: true })], width))
}

/** One line: mark, name, target as far as there is room, facts. */
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

/** What a call is about, in one line. */
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
