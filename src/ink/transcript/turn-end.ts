import { counted, formatCost } from '../../frontend/words/amount.ts'
import { formatElapsed } from '../../frontend/words/duration.ts'
import type { StopReason } from '../../usage.ts'
import { columnsOfLine, type Line, line, type Span, type Style, span } from '../rows/line.ts'
import { indent, withRight } from '../rows/row.ts'
import type { Screen } from '../state.ts'
import { beginFacts, type TurnFacts } from './turn-facts.ts'

/** The end of a turn and what it did: the last row of the turn. */
export interface TurnEnd {
  readonly outcome: 'done' | 'interrupted' | 'failed' | 'unanswered'
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
  readonly files: number
  readonly added: number
  readonly removed: number
  readonly isTested?: boolean
  readonly costUsd: number
  /** Whether /diff and /undo work on its changes. */
  readonly hasUndo: boolean
  /** Names what an undo leaves out. */
  readonly unsaved?: string
}

/** Time in ms from which a turn has a last row even if it did no more than talk. */
const longTurn = 20_000

const quiet: Style = { color: 'muted' }
const faint: Style = { color: 'faint' }

/** Returns the last row of the running turn; `undefined` if there is nothing to tell. */
export function turnEnd(
  screen: Pick<Screen, 'turn' | 'busySince' | 'now' | 'status'>,
  outcome: TurnEnd['outcome'],
): TurnEnd | undefined {
  const { now, status } = screen
  const turn = outcome === 'interrupted' ? (screen.turn ?? unbegun(screen)) : screen.turn
  if (turn === undefined) return undefined
  const { since, costBefore, files, added, removed, isTested, unsaved } = turn
  const durationMs = now - since
  const isTelling =
    files.size > 0 || isTested !== undefined || unsaved !== undefined || durationMs >= longTurn
  if (!isTelling && outcome !== 'interrupted') return undefined
  return {
    outcome,
    durationMs,
    files: files.size,
    added,
    removed,
    ...(isTested !== undefined && { isTested }),
    ...(unsaved !== undefined && { unsaved }),
    costUsd: Math.max(0, (status.costUsd ?? 0) - costBefore),
    hasUndo: files.size > 0 && status.server === undefined,
  }
}

/** Returns how a turn ended whose last answer stopped for this reason. */
export function outcomeOfTurn(stopReason: StopReason): TurnEnd['outcome'] {
  if (stopReason === 'aborted') return 'interrupted'
  return stopReason === 'error' ? 'failed' : 'done'
}

/** Returns the last row of a turn of an earlier run, of which no more is known than that its answer was cut off. */
export function earlierTurnEnd(stopReason: StopReason): TurnEnd | undefined {
  const outcome = outcomeOfTurn(stopReason)
  return outcome === 'done' ? undefined : { ...unansweredEnd, outcome }
}

/** The last row of a turn of an earlier run that ended before the first word of an answer: by an interrupt, an error or a kill. */
export const unansweredEnd: TurnEnd = {
  outcome: 'unanswered',
  files: 0,
  added: 0,
  removed: 0,
  costUsd: 0,
  hasUndo: false,
}

/** Returns the facts of a turn that was stopped before its first event. */
function unbegun({ busySince, status }: Pick<Screen, 'busySince' | 'status'>): TurnFacts | undefined {
  return busySince === undefined ? undefined : beginFacts(busySince, status.costUsd ?? 0)
}

const marks: Readonly<Record<TurnEnd['outcome'], Span>> = {
  done: span('✓', { color: 'good' }),
  interrupted: span('–', quiet),
  failed: span('✗', { color: 'bad', bold: true }),
  unanswered: span('–', quiet),
}

/** Leads the row of a turn that is done and whose tests fail. */
const failedTests = span('✗', { color: 'bad' })

const words: Readonly<Record<TurnEnd['outcome'], string>> = {
  done: '',
  interrupted: 'interrupted',
  failed: 'failed',
  unanswered: 'no answer',
}

/** Draws how a turn ended: its time, then what is known of its changes, tests and cost, and the commands about them at the right. */
export function drawTurnEnd(end: TurnEnd, width: number): Line {
  const { outcome, files, added, removed, isTested, costUsd, hasUndo, unsaved } = end
  const lines = added + removed === 0 ? '' : ` +${added} −${removed}`
  const parts: Line[] = [
    line(wordsOf(end), quiet),
    ...(files === 0 ? [] : [line(`${counted(files, 'file')}${lines}`, quiet)]),
    ...(isTested === undefined ? [] : [[span('tests ', quiet), isTested ? marks.done : failedTests]]),
    ...(costUsd > 0 ? [line(formatCost(costUsd), quiet)] : []),
    ...(unsaved === undefined ? [] : [line(`no undo for ${unsaved}`, quiet)]),
  ]
  const mark = outcome === 'done' && isTested === false ? failedTests : marks[outcome]
  const head: Line = [span(' '.repeat(indent)), mark, span(' ')]
  const left = [...head, ...fitting(parts, width - columnsOfLine(head))]
  const rights = hasUndo ? ['/diff  /undo', '/undo'].map((one) => line(one, faint)) : []
  const room = width - columnsOfLine(left) - 2
  return withRight(left, [...rights.filter((right) => columnsOfLine(right) <= room), []], width)
}

function wordsOf({ outcome, durationMs }: TurnEnd): string {
  const said = words[outcome]
  if (durationMs === undefined) return said
  const time = formatElapsed(durationMs)
  return said === '' ? time : `${said} after ${time}`
}

/** Joins the parts that fit, the first ones first. */
function fitting(parts: readonly Line[], room: number): Line {
  const joined: Span[] = []
  for (const [i, part] of parts.entries()) {
    const lead = i === 0 ? [] : [span(' · ', faint)]
    if (columnsOfLine([...joined, ...lead, ...part]) > room && i > 0) break
    joined.push(...lead, ...part)
  }
  return joined
}
