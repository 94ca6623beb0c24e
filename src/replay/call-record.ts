import type { JsonValue } from '../json-value.ts'
import { type ToolCallBlock, type ToolResultMessage, toolCalls } from '../message.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import type { Turn } from './turns.ts'

/** A call with the result it had. */
export interface RecordedCall {
  readonly call: ToolCallBlock
  readonly result: ToolResultMessage
  /** Counted from 0. */
  readonly turn: number
}

/** How a call depends on files. `changes`: it may have changed some. `reads`: its result depends on them. */
export type FileUse = 'changes' | 'reads' | 'none'

interface Entry extends RecordedCall {
  readonly key: string
  readonly use: FileUse
  /** The number of calls before it that may have changed files. */
  readonly changesBefore: number
}

/** Returns the calls that ran, in order. Calls of replies that did not stop for them never ran. */
export function recordedCalls(turns: readonly Turn[]): readonly RecordedCall[] {
  return turns.flatMap(({ messages }, turn) =>
    messages.flatMap((reply, i) => {
      if (reply.type !== 'assistant' || reply.stopReason !== 'tool_use') return []
      const next = messages.findIndex((other, at) => at > i && other.type === 'assistant')
      const after = messages.slice(i + 1, next < 0 ? undefined : next)
      return toolCalls(reply).flatMap((call) => {
        const result = after.find((one) => one.type === 'tool_result' && one.toolCallId === call.id)
        return result?.type === 'tool_result' ? [{ call, result, turn }] : []
      })
    }),
  )
}

/**
 * The results of earlier calls. A call is equal to a recorded one if tool and arguments are, and, where files matter, if the same
 * calls have changed them before. Each result is given once.
 */
export class CallRecord {
  readonly #entries: readonly Entry[]
  readonly #used = new Set<Entry>()
  /** How many of the changing calls were repeated, in their order. */
  #changes = 0
  /** Whether nothing else has changed the files. */
  #isInStep = true

  constructor(calls: readonly (RecordedCall & { readonly use: FileUse })[]) {
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
  take(name: string, args: JsonValue): (RecordedCall & { readonly use: FileUse }) | undefined {
    const key = keyOf(name, args)
    const found = this.#entries.find(
      (entry) => entry.key === key && !this.#used.has(entry) && this.#isValid(entry),
    )
    if (found !== undefined) this.#used.add(found)
    return found
  }

  /** Notes that the call whose result was given counts as made. */
  made({ use }: { readonly use: FileUse }): void {
    if (use === 'changes') this.#changes++
  }

  /** Notes that a call which is not recorded may have changed files. */
  leave(): void {
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
