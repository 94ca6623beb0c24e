import type { AdapterEvent, Finish } from '../accumulator.ts'
import { PipeError } from '../error.ts'
import { jsonText, list, object, text } from '../http/json-fields.ts'
import type { ReplyReader } from '../http/wire-provider.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import { toStopReason, toUsage } from './wire.ts'

/** Reads one reply, line by line: theirs → ours. Each line costs O(its size). What is unknown is passed over. */
export class OllamaReader implements ReplyReader {
  readonly #newId: NewId
  readonly #callIds = new Set<string>()
  #last: JsonObject | undefined
  #model = ''

  constructor(newId: NewId) {
    this.#newId = newId
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
    const raw = text(this.#last?.['done_reason'])
    const finish: Finish = {
      stopReason: toStopReason(raw, this.#callIds.size > 0),
      ...present({
        rawStopReason: raw || undefined,
        usage: this.#last === undefined ? undefined : toUsage(this.#last),
        model: this.#model || undefined,
      }),
    }
    return { finish }
  }

  /** Calls come whole; most servers give them no id. */
  #call(call: JsonObject): readonly AdapterEvent[] {
    const called = object(call['function'])
    const name = text(called?.['name'])
    if (name === '') throw new PipeError('protocol', 'the server sent a tool call without a name')
    const known = text(call['id'])
    const id = known === '' || this.#callIds.has(known) ? this.#newId.toolCall() : known
    this.#callIds.add(id)
    return [
      { type: 'tool_call_begin', id, name },
      { type: 'tool_call_delta', id, delta: jsonText(called?.['arguments']) },
      { type: 'call_complete', id },
    ]
  }
}
