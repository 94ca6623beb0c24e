import type { AdapterEvent, Finish } from '../accumulator.ts'
import { jsonText, list, object, text } from '../http/dialect/json-fields.ts'
import { ReplyCallIds } from '../http/dialect/reply-call-ids.ts'
import { toStopReason } from '../http/dialect/stop-reason.ts'
import type { ReplyReader } from '../http/dialect/wire-provider.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import { stopWords, toUsage } from './wire.ts'

/** Reads one reply, line by line: theirs → ours. */
export class OllamaReader implements ReplyReader {
  readonly #callIds: ReplyCallIds
  #last: JsonObject | undefined
  #model: string | undefined

  constructor(newId: NewId) {
    this.#callIds = new ReplyCallIds(newId)
  }

  get isFinished(): boolean {
    return this.#last !== undefined
  }

  get isComplete(): boolean {
    return this.isFinished
  }

  /** A line of `/api/chat` holds a message; one of `/api/generate`, or of those who imitate it, its text as `response`. */
  read(line: JsonObject): readonly AdapterEvent[] {
    this.#model = text(line['model']) || this.#model
    if (line['done'] === true) this.#last = line
    const message = object(line['message']) ?? { ...line, content: line['response'] ?? null }
    const events: AdapterEvent[] = []
    const thought = text(message['thinking'])
    if (thought !== '') events.push({ type: 'thinking_delta', id: 'thinking', delta: thought })
    const said = text(message['content'])
    if (said !== '') events.push({ type: 'text_delta', id: 'text', delta: said })
    for (const call of list(message['tool_calls'])) events.push(...this.#call(object(call) ?? {}))
    return events
  }

  end(): { readonly finish: Finish } {
    const rawStopReason = text(this.#last?.['done_reason']) || undefined
    const finish: Finish = {
      stopReason: toStopReason(rawStopReason, stopWords, { calls: this.#callIds.any }),
      ...present({ rawStopReason, usage: this.#last && toUsage(this.#last), model: this.#model }),
    }
    return { finish }
  }

  /** Calls come whole; most servers give them no id. */
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
