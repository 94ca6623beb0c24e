import { oneLine } from '../../characters/one-line.ts'
import { unreachable } from '../../error.ts'
import { counted, formatCost, formatCount } from '../../frontend/words/amount.ts'
import { formatElapsed } from '../../frontend/words/duration.ts'
import { isJsonObject } from '../../json-value.ts'
import { printable } from '../../terminal/printable.ts'
import { columnsOfLine, type Line, line, type Span, type Style, span } from '../rows/line.ts'
import { drawRow, rightsOf, withRight } from '../rows/row.ts'
import { spinnerAt } from '../rows/spinner.ts'
import { type ElfState, workTime } from '../shown-elf.ts'
import type { EndedCall } from './call.ts'

const subtle: Style = { color: 'muted' }
/** Columns from which the row of an elf names its model and its unit. */
const modelFrom = 60
const unitFrom = 80
/** Columns of a name or a model at most, and of a name at least, as those of tools have. */
const longestName = 24
const leastName = 7
/** Characters of a text that are read for one row. */
const readLength = 400

/** The mark of an elf by its state. */
function markOf({ state, asks }: Pick<ElfState, 'state' | 'asks'>, now: number): Span {
  if (asks !== undefined) return span('?', { color: 'warning', bold: true })
  if (state === 'running') return span(spinnerAt(now), { color: 'accent' })
  if (state === 'stopped') return span('–', subtle)
  return state === 'done' ? span('●', subtle) : span('✗', { color: 'bad', bold: true })
}

/** Widths in columns of the names and models of elves that are drawn below each other. */
interface ElfColumns {
  readonly name: number
  readonly model: number
}

/** Measures the names and models of elves, so that their rows align. */
export function measureElves(elves: readonly ElfState[]): ElfColumns {
  const widest = (texts: readonly Line[]) => Math.max(0, ...texts.map(columnsOfLine))
  return { name: widest(elves.map(nameOf)), model: widest(elves.map(modelOf)) }
}

function nameOf({ start: { agent, name } }: ElfState): Line {
  return [
    span(` ${oneLine(printable(agent), longestName).padEnd(leastName)}`),
    span(` ${name}`, { color: 'faint' }),
  ]
}

function modelOf({ model }: ElfState): Line {
  return line(oneLine(printable(model.slice(model.indexOf('/') + 1)), longestName), { color: 'faint' })
}

function padded(text: Line, width: number): Line {
  return [...text, span(' '.repeat(Math.max(0, width - columnsOfLine(text)) + 2))]
}

interface ElfRowOptions {
  readonly now: number
  readonly columns: number
  readonly widths: ElfColumns
}

/** Draws an elf in one row: its agent and name, its model, its work now, then time, tokens and cost at the right. */
export function drawElf(elf: ElfState, { now, columns, widths }: ElfRowOptions): Line {
  const { tokens, costUsd } = elf
  const facts = [
    ...(tokens === 0 ? [] : [`${formatCount(tokens)}${columns < unitFrom ? '' : ' tokens'}`]),
    ...(costUsd === undefined || costUsd === 0 ? [] : [formatCost(costUsd)]),
  ]
  const head: Line = [
    markOf(elf, now),
    ...padded(nameOf(elf), widths.name),
    ...(columns < modelFrom ? [] : padded(modelOf(elf), widths.model)),
    ...describe(elf),
  ]
  return withRight(head, rightsOf(facts, formatElapsed(workTime(elf, now)), columns), columns)
}

function describe({ asks, doing, text, state, reason = '' }: ElfState): Line {
  if (asks !== undefined) return line(`asks: ${flat(asks.title)}`, { color: 'warning' })
  if (state !== 'running')
    return line(flat(state === 'done' ? text : state === 'failed' ? reason : state), subtle)
  switch (doing.type) {
    case 'call':
      return [span(printable(doing.name)), span(` ${flat(doing.target)}`, subtle)]
    case 'writing':
      return line(flat(text.trimEnd().split('\n').at(-1) ?? ''), { color: 'muted', italic: true })
    case 'waiting':
      return line(flat(doing.reason), { color: 'bad' })
    case 'thinking':
      return line('thinking', subtle)
    default:
      return unreachable(doing)
  }
}

function flat(text: string): string {
  return oneLine(printable(text), readLength)
}

/** The result of an elf, from the details of its call. */
interface Ended {
  readonly name: string
  readonly agent: string
  readonly stopReason: string
  readonly reason: string | undefined
  readonly rounds: number
  readonly costUsd: number | undefined
}

/** Reads the details of a call that ran an elf to its end; `undefined` for any other call, such as one that only waited for it. */
export function readEndedElf({ arguments: args, details }: EndedCall): Ended | undefined {
  const { action = 'run' } = isJsonObject(args) ? args : {}
  if (action !== 'run' || !isJsonObject(details)) return undefined
  const { elf: name, agent, stop_reason: stopReason, reason, rounds, cost_usd: costUsd } = details
  if (typeof name !== 'string' || typeof agent !== 'string') return undefined
  return {
    name,
    agent,
    stopReason: String(stopReason),
    reason: typeof reason === 'string' ? reason : undefined,
    rounds: typeof rounds === 'number' ? rounds : 0,
    costUsd: typeof costUsd === 'number' ? costUsd : undefined,
  }
}

/** Draws an elf that has ended in one row: its name, the first words of its result, then its calls, cost and time at the right. */
export function drawEndedElf(call: EndedCall, elf: Ended, width: number): Line {
  const { name, agent, stopReason, reason, rounds, costUsd } = elf
  const isStopped = stopReason === 'aborted'
  const state = isStopped ? 'stopped' : call.isError ? 'failed' : 'done'
  const told = wordsOf(call, name)
  const words = isStopped ? 'stopped' : call.isError ? (reason ?? told) : told
  return drawRow(
    {
      mark: markOf({ state, asks: undefined }, 0),
      name: span(agent),
      target: [
        span(`${name}  `, { color: 'faint' }),
        span(oneLine(words, readLength), state === 'done' ? {} : subtle),
      ],
      facts: [
        ...(width < modelFrom ? [] : [workOf(call, rounds)]),
        ...(costUsd === undefined || costUsd === 0 ? [] : [formatCost(costUsd)]),
      ],
      ...(call.durationMs !== undefined && { time: formatElapsed(call.durationMs) }),
    },
    width,
  )
}

function workOf({ elfCalls }: EndedCall, rounds: number): string {
  return elfCalls === undefined ? counted(rounds, 'round') : counted(elfCalls, 'call')
}

/** Returns the text of a result without the marks of Markdown before it and the facts after it, which the row shows itself. */
function wordsOf({ text }: EndedCall, name: string): string {
  const end = text.lastIndexOf(`\n\n[${name} · `)
  return (end === -1 ? text : text.slice(0, end)).replace(/^[#>*\s-]+/, '')
}
