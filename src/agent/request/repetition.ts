import { isJsonObject } from '../../json-value.ts'
import type { ToolCallBlock } from '../../message.ts'
import type { ToolResult } from '../../tool.ts'

/** A call and its result. */
export interface CarriedCall {
  readonly call: ToolCallBlock
  readonly result: ToolResult
}

/** Facts that tell whether a round was a legitimate wait. */
export interface Wait {
  readonly durationMs: number
  /** Whether all its calls watch something that changes on its own. */
  readonly looksOn: boolean
}

/** Warns the model each time after this many rounds without news. */
export const warnEvery = 5
/** Rounds without news before the user is asked. The turn ends if there is no user to ask. */
export const maxRepeats = 10
/** The same limit for rounds that watch something, which may legitimately repeat often. */
export const maxLooks = 50
/** Milliseconds from which a round may be a legitimate wait and does not count towards `maxRepeats`. */
export const minWaitMs = 2_000
/** The same for rounds that watch something: `sleep 1` and a look, which takes 1 s. */
export const minPollMs = 900
/** Number of recent rounds to compare with, as models also repeat cycles of several calls. */
export const comparedRounds = 8

/** Describes how long a model has repeated itself, and its last call. */
export interface RepeatedLoop {
  readonly rounds: number
  readonly tool: string
  /** The call, cut to 200 characters. */
  readonly call: string
}

/** Detects a model that goes in circles: rounds with the calls and results of a recent one. */
export class Repetition {
  /** The last rounds: in full if short, else as hashes. */
  readonly #recent: string[] = []
  #last: ToolCallBlock | undefined
  /** Consecutive rounds without news, including the first. */
  #rounds = 0
  /** Counts of those rounds that did not wait: those that changed something or read it, and those that watched. */
  #hurried = 0
  #looks = 0

  /** Records a round, which may have been a wait. Returns a warning for the model, if one is due. */
  async note(round: readonly CarriedCall[], { durationMs, looksOn }: Wait): Promise<string | undefined> {
    const fingerprint = await fingerprintOf(round)
    if (!this.#recent.includes(fingerprint)) this.#forget()
    this.#rounds++
    const isWait = durationMs >= (looksOn ? minPollMs : minWaitMs)
    if (!isWait && looksOn) this.#looks++
    if (!isWait && !looksOn) this.#hurried++
    this.#last = round.at(-1)?.call
    this.#recent.push(fingerprint)
    if (this.#recent.length > comparedRounds) this.#recent.shift()
    if (this.#rounds % warnEvery > 0) return undefined
    return `[${this.#rounds} rounds in a row have made the same calls with the same results. Do not repeat them: do something else, or say what is in the way. To wait for something, wait longer in one call.]`
  }

  /** Describes the repetition once it has gone on too long. */
  get loop(): RepeatedLoop | undefined {
    if (this.#hurried < maxRepeats && this.#looks < maxLooks) return undefined
    if (this.#last === undefined) return undefined
    const { name, arguments: args, argumentsRaw } = this.#last
    const shown = (argumentsRaw ?? JSON.stringify(args)).slice(0, 200)
    return { rounds: this.#rounds, tool: name, call: `${name} ${shown}` }
  }

  /** Restarts the count after the user lets the model continue. */
  excuse(): void {
    this.#forget()
  }

  #forget(): void {
    this.#rounds = this.#hurried = this.#looks = 0
  }
}

/** Maximum characters of a round to keep instead of its hash. */
const maxKept = 1_000

async function fingerprintOf(round: readonly CarriedCall[]): Promise<string> {
  const facts = round.map(({ call, result }) => [
    call.name,
    call.argumentsRaw ?? call.arguments,
    result.isError,
    outputOf(result),
  ])
  const text = JSON.stringify(facts)
  if (text.length <= maxKept) return text
  // Imports late: loading takes 2 ms, and a run of short rounds does not need it.
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('base64')
}

/** Returns the text of a result without the name of its spill file, which differs each time. */
function outputOf({ content, details }: ToolResult): string {
  const spill = isJsonObject(details) ? details['spill'] : undefined
  const output = JSON.stringify(content)
  return typeof spill === 'string' ? output.replaceAll(spill, '') : output
}
