import type { Abilities } from '../conversation-view.ts'
import { counted, formatCount, formatUsd } from '../text/amount.ts'
import { columnsOf } from './columns.ts'
import { formatElapsed } from './format.ts'
import { columnsOfLine, cut, type Line, line, span } from './line.ts'
import { panelHint } from './panel/panel-view.ts'
import { pickerHint } from './picker-view.ts'
import { questionHint } from './question-hint.ts'
import type { Screen, Status } from './state.ts'

/** Time in ms without an agent event after which the silence of the server is shown. */
const silenceAfter = 20_000

const separator = ' · '

/** Draws the status line: current work, then facts about the conversation as far as they fit. */
export function drawStatus(screen: Screen): Line {
  const { quitAsked, size, status } = screen
  const { columns } = size
  if (quitAsked !== undefined) return cut(line('press Ctrl+C again to quit', { color: 'yellow' }), columns)
  const hint = questionHint(screen) ?? pickerHint(screen) ?? panelHint(screen)
  if (hint !== undefined) return cut(line(hint, { color: 'yellow' }), columns)
  const work = [describeWork(screen), badgeOf(status)].filter((text) => text !== '').join(separator)
  const busy: Line = work === '' ? [] : [span(work, { color: 'yellow' })]
  const taken = work === '' ? 0 : columnsOfLine(busy) + separator.length
  const facts = chooseFacts(status, columns - taken)
  if (facts === '') return cut(busy, columns)
  return [...busy, span(work === '' ? facts : separator + facts, { dim: true })]
}

/** Returns the parts of the status line that depend on the `provider/model`. */
export function modelStatus(model: string, abilities: Abilities): Pick<Status, 'model' | 'contextWindow'> {
  return { model, contextWindow: abilities.contextWindow?.(model) }
}

/** Tells that tasks of the board await an answer; empty if none does. */
function badgeOf({ waitingTasks = 0 }: Status): string {
  return waitingTasks === 0 ? '' : counted(waitingTasks, 'question')
}

/** Describes the current work; empty when idle. */
function describeWork(screen: Screen): string {
  const { task, busySince, now } = screen
  if (task !== undefined) return `◐ ${task.doing} ${formatElapsed(now - task.since)} · Esc stops`
  return busySince === undefined ? '' : describeTurn(screen, busySince)
}

function describeTurn(screen: Screen, busySince: number): string {
  const { now, heardAt, size } = screen
  const silence = now - heardAt
  if (silence < 0) return `◐ retrying in ${formatElapsed(-silence + 999)} · Esc stops`
  if (silence < silenceAfter || !waitsForServer(screen)) {
    return `◐ ${formatElapsed(now - busySince)} · Esc stops`
  }
  const forms = ['no word from the server for', 'no word for'].map(
    (words) => `◐ ${words} ${formatElapsed(silence)}, Esc stops`,
  )
  return forms.find((form) => columnsOf(form) <= size.columns) ?? forms.at(-1) ?? ''
}

/** Whether only the server can cause the silence: no call runs and no question is open. */
function waitsForServer({ calls, questions }: Screen): boolean {
  return questions.length === 0 && calls.every(({ startedAt }) => startedAt === undefined)
}

/** A fact with its forms, best first. Facts with the highest `rank` are dropped first if there is no room. */
interface Fact {
  readonly rank: number
  readonly forms: readonly string[]
}

function chooseFacts(status: Status, columns: number): string {
  const facts = factsOf(status)
  const chosen = new Map<Fact, string>()
  let room = columns + separator.length
  for (const fact of facts.toSorted((a, b) => a.rank - b.rank)) {
    const form = fact.forms.find((one) => columnsOf(one) + separator.length <= room)
    if (form === undefined) continue
    chosen.set(fact, form)
    room -= columnsOf(form) + separator.length
  }
  return facts.flatMap((fact) => chosen.get(fact) ?? []).join(separator)
}

/** Lists the facts in the order in which they are shown. */
function factsOf(status: Status): readonly Fact[] {
  const { mode, agent, model, contextTokens, contextWindow, usage, costUsd, branch } = status
  const total = usage.inputTokens + usage.outputTokens
  const full =
    contextTokens === undefined || contextWindow === undefined
      ? undefined
      : `ctx ${Math.round((100 * contextTokens) / contextWindow)} %`
  const facts = [
    { rank: 1, forms: [mode] },
    { rank: 1, forms: [agent && `agent ${agent}`, agent] },
    { rank: 3, forms: [model, model.slice(model.indexOf('/') + 1)] },
    { rank: 2, forms: [full] },
    { rank: 5, forms: [total === 0 ? undefined : `${formatCount(total)} tokens`] },
    { rank: 4, forms: [costUsd === undefined || costUsd === 0 ? undefined : formatUsd(costUsd)] },
    { rank: 6, forms: [branch] },
  ]
  return facts.map(({ rank, forms }) => ({ rank, forms: forms.filter((form) => form !== undefined) }))
}
