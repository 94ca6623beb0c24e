import type { AgentEvent } from '../../event.ts'
import { encodeEvent } from '../../text/event-json.ts'
import { RepeatedOutput } from '../../text/repeated-output.ts'
import type { AnswerPart } from './answer.ts'

/** Turns the events of a turn into parts of an answer: the texts of its rounds, with a blank line between them. */
export class TurnReader {
  readonly #tellsEvents: boolean
  readonly #output = new RepeatedOutput()
  /** The agent of the conversation. Others are elves, whose texts are not part of the answer. */
  #agentId: string | undefined
  /** Whether the model has begun to answer, and whether that was told. */
  #isBegun = false
  #isTold = false
  #lines: object[] = []
  #text = ''
  #hasSpoken = false
  #isNewText = true

  constructor(tellsEvents: boolean) {
    this.#tellsEvents = tellsEvents
  }

  /** Reads events. Tells nothing before the model has begun, because a failure until then is an answer of its own. */
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
    this.#lines = []
    this.#text = ''
  }

  #tell(event: AgentEvent): void {
    const repeated = this.#output.take(event)
    if (repeated !== undefined) this.#lines.push(encodeEvent(repeated.event, repeated.told))
  }

  #add(event: AgentEvent): void {
    this.#agentId ??= event.agentId
    if (this.#tellsEvents) this.#tell(event)
    if (event.agentId !== this.#agentId) return
    switch (event.type) {
      case 'round_start':
      case 'retry':
      case 'fallback':
        // Text that was sent cannot be taken back when a reply is asked for again. The new one follows it.
        this.#isNewText = true
        return
      case 'text_delta':
        this.#isBegun = true
        if (this.#isNewText && this.#hasSpoken) this.#text += '\n\n'
        this.#isNewText = false
        this.#hasSpoken = true
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
