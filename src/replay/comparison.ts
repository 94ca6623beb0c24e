import { type AssistantMessage, type Message, textContent, toolCalls } from '../message.ts'
import { addUsage, noUsage, type Usage } from '../usage.ts'
import { canonicalJson } from '../wire/canonical-json.ts'
import { isDenied } from './recorded-denial.ts'
import type { RecordedTurn } from './recorded-turns.ts'

/** Sums of the turns of one side. */
export interface Effort {
  readonly rounds: number
  readonly calls: number
  readonly usage: Usage
  /** US dollars. Absent if no price is known. */
  readonly costUsd?: number | undefined
  /** From each message of the user to the end of its turn. */
  readonly durationMs: number
}

/** Sums up the turns of one side. */
export function effortOf(turns: readonly RecordedTurn[]): Effort {
  const replies = turns.flatMap((turn) => turn.replies)
  const costs = replies.map(({ metadata }) => Number(metadata?.['cost_usd'])).filter(Number.isFinite)
  return {
    rounds: replies.length,
    calls: replies.flatMap(toolCalls).length,
    usage: replies.map(({ usage }) => usage).reduce(addUsage, noUsage),
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    durationMs: turns.map(durationOf).reduce((sum, ms) => sum + ms, 0),
  }
}

function durationOf({ messages }: RecordedTurn): number {
  const times = messages.map(({ timestamp }) => Date.parse(timestamp)).filter(Number.isFinite)
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
}

/** One round of one side: the text of its reply, and its calls with their results. */
export interface RoundText {
  readonly text: string
  readonly calls: readonly CallText[]
}

interface CallText {
  readonly name: string
  /** Canonical JSON. */
  readonly arguments: string
  readonly result: string
}

/** Returns the rounds of a turn. */
export function roundsOf({ messages, replies }: RecordedTurn): readonly RoundText[] {
  return replies.map((reply) => ({
    text: textContent(reply),
    calls: toolCalls(reply).map(({ id, name, arguments: args, argumentsRaw }) => ({
      name,
      arguments: argumentsRaw ?? canonicalJson(args),
      result: resultText(resultOf(id, reply, messages)),
    })),
  }))
}

function resultOf(id: string, reply: AssistantMessage, messages: readonly Message[]): Message | undefined {
  const after = messages.slice(messages.indexOf(reply))
  return after.find((message) => message.type === 'tool_result' && message.toolCallId === id)
}

function resultText(message: Message | undefined): string {
  if (message?.type !== 'tool_result') return ''
  return isDenied(message) ? 'denied' : JSON.stringify([message.isError, message.content])
}

/** A place where both sides differ, both counted from 1. `end`: one side has no such round. */
export interface Difference {
  readonly turn: number
  readonly round: number
  readonly type: 'text' | 'call' | 'result' | 'end'
}

/** Finds the first difference between two conversations, and the first that is not only in the words. */
export function compareTurns(
  recorded: readonly RecordedTurn[],
  replayed: readonly RecordedTurn[],
): { readonly first?: Difference | undefined; readonly firstAction?: Difference | undefined } {
  const all = recorded.flatMap((turn, i) => compareTurn(turn, replayed[i], i + 1))
  return { first: all[0], firstAction: all.find(({ type }) => type !== 'text') }
}

function compareTurn(
  recorded: RecordedTurn,
  replayed: RecordedTurn | undefined,
  turn: number,
): readonly Difference[] {
  const [before, after] = [roundsOf(recorded), replayed === undefined ? [] : roundsOf(replayed)]
  const count = Math.max(before.length, after.length)
  return Array.from({ length: count }, (_, i) => compareRounds(before[i], after[i])).flatMap((type, i) =>
    type === undefined ? [] : [{ turn, round: i + 1, type }],
  )
}

/** A different call matters more than different words. */
function compareRounds(a: RoundText | undefined, b: RoundText | undefined): Difference['type'] | undefined {
  if (a === undefined || b === undefined) return 'end'
  const calls = ({ calls: all }: RoundText) =>
    JSON.stringify(all.map(({ name, arguments: args }) => [name, args]))
  if (calls(a) !== calls(b)) return 'call'
  if (a.text !== b.text) return 'text'
  const results = ({ calls: all }: RoundText) => JSON.stringify(all.map(({ result }) => result))
  return results(a) === results(b) ? undefined : 'result'
}
