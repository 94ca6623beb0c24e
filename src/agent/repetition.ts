import { PipeError } from '../error.ts'
import { isJsonObject } from '../json-value.ts'
import type { ToolCallBlock } from '../message.ts'
import type { ToolResult } from '../tool.ts'

/** A call and what it gave. */
export interface CarriedCall {
  readonly call: ToolCallBlock
  readonly result: ToolResult
}

/** Rounds without news after which the model is told so, and again after as many more. */
export const warnedEvery = 5
/** Rounds without news after which the turn ends. Far more than a model needs to wait for something, which brings none either. */
export const mostRepeats = 50
/** Milliseconds from which on the calls of a round may be a rightful wait: it is no reason to end the turn. */
export const waitingFrom = 5_000
/** Rounds back in which a round is looked for: models also go round in small circles. */
const circle = 4

/** Notices a model that goes round in circles: rounds whose calls and results are those of one shortly before. */
export class Repetition {
  /** What the last rounds were: in full where that is short, else as hashes. */
  readonly #recent: string[] = []
  #last: ToolCallBlock | undefined
  /** Rounds in a row without news, the first of them included. */
  #rounds = 0
  /** Those among them that waited for nothing. */
  #hurried = 0

  /** Takes a round in, whose calls took `durationMs`; gives what the model is to be told about it, if anything. */
  async note(round: readonly CarriedCall[], durationMs: number): Promise<string | undefined> {
    const mark = await markOf(round)
    if (!this.#recent.includes(mark)) this.#rounds = this.#hurried = 0
    this.#rounds++
    if (durationMs < waitingFrom) this.#hurried++
    this.#last = round.at(-1)?.call
    this.#recent.push(mark)
    if (this.#recent.length > circle) this.#recent.shift()
    if (this.#rounds % warnedEvery > 0) return undefined
    return `[${this.#rounds} rounds in a row have made the same calls with the same results. Do not repeat them: do something else, or say what is in the way. To wait for something, wait longer in one call.]`
  }

  /** Throws `turn_limit` where the model has gone round in circles for too long; `details` name the tool and the rounds allowed. */
  require(): void {
    if (this.#hurried < mostRepeats || this.#last === undefined) return
    const { name, arguments: args, argumentsRaw } = this.#last
    const shown = (argumentsRaw ?? JSON.stringify(args)).slice(0, 200)
    throw new PipeError(
      'turn_limit',
      `stopped: ${mostRepeats} rounds in a row made the same calls with the same results, the last ${name} ${shown}; say what is to be done differently to go on`,
      { details: { limit: 'repetition', allowed: String(mostRepeats), tool: name } },
    )
  }
}

/** Characters of a round that are kept as they are. */
const longestKept = 1_000

async function markOf(round: readonly CarriedCall[]): Promise<string> {
  const facts = round.map(({ call, result }) => [
    call.name,
    call.argumentsRaw ?? call.arguments,
    result.isError,
    saidBy(result),
  ])
  const text = JSON.stringify(facts)
  if (text.length <= longestKept) return text
  // Not at the top: it takes two milliseconds to load, and a run of short rounds needs none of it.
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('base64')
}

/** What the model reads, but for the name of the file that holds output too long for it, which is another each time. */
function saidBy({ content, details }: ToolResult): string {
  const spill = isJsonObject(details) ? details['spill'] : undefined
  const said = JSON.stringify(content)
  return typeof spill === 'string' ? said.replaceAll(spill, '') : said
}
