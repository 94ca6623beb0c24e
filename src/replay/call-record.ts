import type { JsonValue } from '../json-value.ts'
import { type ToolCallBlock, type ToolResultMessage, toolCalls } from '../message.ts'
import { canonicalJson } from '../wire/canonical-json.ts'
import type { RecordedTurn } from './recorded-turns.ts'

/** A call with the result it had. */
export interface RecordedCall {
  readonly call: ToolCallBlock
  readonly result: ToolResultMessage
  /** Counted from 0. */
  readonly turn: number
}

/** How a call depends on files. `changes`: it may have changed some. `reads`: its result depends on them. */
export type CallFileUse = 'changes' | 'reads' | 'none'

interface Entry extends RecordedCall {
  readonly key: string
  readonly use: CallFileUse
  /** The number of calls before it that may have changed files. */
  readonly changesBefore: number
}

/** Returns the calls that ran, in order. Calls of replies that did not stop for them never ran. */
export function recordedCalls(turns: readonly RecordedTurn[]): readonly RecordedCall[] {
  return startedCalls(turns).flatMap(({ result, ...call }) =>
    result === undefined ? [] : [{ ...call, result }],
  )
}

/** Returns the calls without a result: the process ended while they ran, or at their question. */
export function openCalls(turns: readonly RecordedTurn[]): readonly ToolCallBlock[] {
  return startedCalls(turns).flatMap(({ call, result }) => (result === undefined ? [call] : []))
}

type StartedCall = Pick<RecordedCall, 'call' | 'turn'> & { readonly result: ToolResultMessage | undefined }

/** Finds the result of each call between its reply and the next, as ids may be used again. */
function startedCalls(turns: readonly RecordedTurn[]): readonly StartedCall[] {
  return turns.flatMap(({ messages }, turn) =>
    messages.flatMap((reply, i) => {
      if (reply.type !== 'assistant' || reply.stopReason !== 'tool_use') return []
      const next = messages.findIndex((other, at) => at > i && other.type === 'assistant')
      const results = messages
        .slice(i + 1, next < 0 ? undefined : next)
        .filter((message) => message.type === 'tool_result')
      return toolCalls(reply).map((call) => ({
        call,
        turn,
        result: results.find(({ toolCallId }) => toolCallId === call.id),
      }))
    }),
  )
}

/**
 * The results of earlier calls. A call is equal to a recorded one if tool and arguments are, and, where files matter, if the same
 * calls have changed them before. Each result is given once.
 */
export class CallRecord {
  readonly #entries: readonly Entry[]
  readonly #open: ReadonlySet<string>
  readonly #used = new Set<Entry>()
  /** How many of the changing calls were repeated, in their order. */
  #changes = 0
  /** Whether nothing else has changed the files. */
  #isInStep = true

  /** `open`: calls that were cut short. Default: none. */
  constructor(
    calls: readonly (RecordedCall & { readonly use: CallFileUse })[],
    open: readonly ToolCallBlock[] = [],
  ) {
    this.#open = new Set(open.map(({ name, arguments: args }) => keyOf(name, args)))
    let changesBefore = 0
    this.#entries = calls.map((one) => {
      const entry = { ...one, key: keyOf(one.call.name, one.call.arguments), changesBefore }
      if (one.use === 'changes') changesBefore++
      return entry
    })
  }

  /** Whether the files are as they were at the end of the record. */
  get isComplete(): boolean {
    const all = this.#entries.filter(({ use }) => use === 'changes').length
    return this.#isInStep && this.#changes === all
  }

  /** The turn of the next recorded call that may change files and was not repeated yet. Infinity if there is none. */
  get nextChangeTurn(): number {
    const changing = this.#entries.filter(({ use }) => use === 'changes')
    return changing[this.#changes]?.turn ?? Number.POSITIVE_INFINITY
  }

  /** Takes the result of a call; `undefined` if none is equal. */
  take(name: string, args: JsonValue): (RecordedCall & { readonly use: CallFileUse }) | undefined {
    const key = keyOf(name, args)
    const found = this.#entries.find(
      (entry) => entry.key === key && !this.#used.has(entry) && this.#isValid(entry),
    )
    if (found !== undefined) this.#used.add(found)
    return found
  }

  /** Whether an equal call was cut short. */
  wasCut(name: string, args: JsonValue): boolean {
    return this.#open.has(keyOf(name, args))
  }

  /** Notes that the call whose result was given counts as made. */
  made({ use }: { readonly use: CallFileUse }): void {
    if (use === 'changes') this.#changes++
  }

  /** Notes that a call which is not recorded may have changed files. */
  diverge(): void {
    this.#isInStep = false
  }

  #isValid({ use, changesBefore }: Entry): boolean {
    return use === 'none' || (this.#isInStep && changesBefore === this.#changes)
  }
}

/** Models vary the case of names, and the loop accepts that. */
function keyOf(name: string, args: JsonValue): string {
  return `${name.toLowerCase()} ${canonicalJson(args)}`
}
