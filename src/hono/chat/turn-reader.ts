import { PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import { RepeatedOutput } from '../../frontend/repeated-output.ts'
import { encodeEvent } from '../../wire/event-json.ts'
import type { AnswerPart } from './answer.ts'

export interface TurnReading {
  readonly tellsEvents: boolean
  /** The client sees each part as it comes, so that none can be taken back. */
  readonly isStreamed: boolean
}

/** Turns the events of a turn into parts of an answer: the texts of its rounds, with a blank line between them. */
export class TurnReader {
  readonly #options: TurnReading
  readonly #output = new RepeatedOutput()
  /** The agent of the conversation. Others are elves, whose texts are not part of the answer. */
  #agentId: string | undefined
  /** Whether the model has begun to answer, and whether that was told. */
  #isBegun = false
  #isTold = false
  #lines: object[] = []
  /** Not yet told. */
  #text = ''
  /** The length of that at which the current reply begins. */
  #before = 0
  /** Whether a part of the current reply was told. */
  #isReplyTold = false
  #hasTold = false
  #isNewText = true

  constructor(options: TurnReading) {
    this.#options = options
  }

  /**
   * Reads events. Tells nothing before the model has begun, because a failure until then is an answer of its own. Throws `protocol` once a
   * reply is asked for again of which a part was told.
   */
  *read(events: readonly AgentEvent[]): Generator<AnswerPart, void, undefined> {
    for (const event of events) this.#add(event)
    if (this.#isBegun) yield* this.end()
  }

  /** Tells what was read and not yet told. */
  *end(): Generator<AnswerPart, void, undefined> {
    if (!this.#isTold) yield { type: 'begin' }
    this.#isTold = true
    if (this.#lines.length > 0) yield { type: 'events', lines: this.#lines }
    if (this.#text !== '') yield { type: 'text', text: this.#text }
    this.#isReplyTold ||= this.#text.length > this.#before
    this.#hasTold ||= this.#text !== ''
    this.#lines = []
    this.#text = ''
    this.#before = 0
  }

  #discard(reason: string): void {
    if (this.#isReplyTold && this.#options.isStreamed)
      throw new PipeError(
        'protocol',
        `the model's reply was cut off after part of it was sent: ${reason}; the session keeps what was done`,
      )
    this.#text = this.#text.slice(0, this.#before)
    this.#begin()
  }

  #begin(): void {
    this.#before = this.#text.length
    this.#isReplyTold = false
    this.#isNewText = true
  }

  #tell(event: AgentEvent): void {
    const repeated = this.#output.take(event)
    if (repeated !== undefined) this.#lines.push(encodeEvent(repeated.event, repeated.told))
  }

  #add(event: AgentEvent): void {
    this.#agentId ??= event.agentId
    if (this.#options.tellsEvents) this.#tell(event)
    if (event.agentId !== this.#agentId) return
    switch (event.type) {
      case 'round_start':
        this.#begin()
        return
      case 'message':
        if (event.message.type === 'assistant') this.#begin()
        return
      case 'retry':
      case 'fallback':
        this.#discard(event.reason)
        return
      case 'text_delta':
        this.#isBegun = true
        if (this.#isNewText && (this.#hasTold || this.#text !== '')) this.#text += '\n\n'
        this.#isNewText = false
        this.#text += event.delta
        return
      case 'thinking_delta':
      case 'tool_call_begin':
        this.#isBegun = true
        return
      default:
    }
  }
}
