import { ReplyCallIds } from '../http/dialect/reply-call-ids.ts'
import { toStopReason } from '../http/dialect/stop-reason.ts'
import type { TaggedText } from '../http/dialect/think-tags.ts'
import type { ReplyReader } from '../http/dialect/wire-provider.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { AdapterEvent, Finish } from '../reply/accumulator.ts'
import { jsonText, list, object, text } from '../wire/json-fields.ts'
import { toUsage } from './wire.ts'

/** Old servers send no stop reason for a normal stop. */
const normalStop = 'stop'

/** Converts one reply to our events, line by line. */
export class OllamaReader implements ReplyReader {
  readonly #callIds: ReplyCallIds
  readonly #text: TaggedText
  #last: JsonObject | undefined
  #model: string | undefined

  constructor(newId: NewId, text: TaggedText) {
    this.#text = text
    this.#callIds = new ReplyCallIds(newId)
  }

  get isFinished(): boolean {
    return this.#last !== undefined
  }

  get isComplete(): boolean {
    return this.isFinished
  }

  /** Reads a line: of `/api/chat` with a message, or of `/api/generate` and its imitations with the text as `response`. */
  read(line: JsonObject): readonly AdapterEvent[] {
    this.#model = text(line['model']) || this.#model
    if (line['done'] === true) this.#last = line
    const message = object(line['message']) ?? { ...line, content: line['response'] ?? null }
    const events: AdapterEvent[] = [
      ...this.#text.think(text(message['thinking'])),
      ...this.#text.say(text(message['content'])),
    ]
    for (const call of list(message['tool_calls'])) events.push(...this.#call(object(call) ?? {}))
    return events
  }

  end(): { readonly events: readonly AdapterEvent[]; readonly finish: Finish } {
    const rawStopReason = text(this.#last?.['done_reason']) || undefined
    const finish: Finish = {
      stopReason: toStopReason(rawStopReason ?? normalStop, { calls: this.#callIds.any }),
      revise: this.#text.revise,
      rawStopReason,
      usage: this.#last && toUsage(this.#last),
      model: this.#model,
    }
    return { events: this.#text.end(), finish }
  }

  /** Reads a call, which is always complete. Most servers send no id. */
  #call(call: JsonObject): readonly AdapterEvent[] {
    const called = object(call['function'])
    const name = text(called?.['name'])
    const id = this.#callIds.begin(text(call['id']))
    return [
      { type: 'tool_call_begin', id, name },
      { type: 'tool_call_delta', id, delta: jsonText(called?.['arguments']) },
      { type: 'call_complete', id },
    ]
  }
}
