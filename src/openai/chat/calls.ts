import type { AdapterEvent } from '../../accumulator.ts'
import { PipeError } from '../../error.ts'
import { count, jsonText, object, text } from '../../http/json-fields.ts'
import { ReplyCallIds } from '../../http/reply-call-ids.ts'
import type { NewId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'

interface Call {
  /** The server's id, empty where it gave none. */
  wireId: string
  /** Ours: the server's where it is the first with it, else made up. Empty until the call has begun. */
  id: string
  /** Arguments that came before the name. */
  early: string
}

/** Puts the calls of one reply together, from all the ways in which servers take them apart. */
export class ToolCalls {
  readonly #ids: ReplyCallIds
  readonly #byIndex = new Map<number, Call>()
  readonly #all: Call[] = []

  constructor(newId: NewId) {
    this.#ids = new ReplyCallIds(newId)
  }

  get any(): boolean {
    return this.#all.length > 0
  }

  /** One entry of a delta's `tool_calls`: `{index?, id?, function: {name?, arguments?}}`. */
  read(entry: JsonObject, into: AdapterEvent[]): void {
    const called = object(entry['function'])
    const name = text(called?.['name'])
    const call = this.#find(entry, name)
    const delta = jsonText(called?.['arguments'])
    if (call.id !== '') {
      into.push({ type: 'tool_call_delta', id: call.id, delta })
      return
    }
    call.early += delta
    if (name === '') return
    call.id = this.#ids.begin(call.wireId)
    into.push({ type: 'tool_call_begin', id: call.id, name })
    into.push({ type: 'tool_call_delta', id: call.id, delta: call.early })
  }

  /** Throws `protocol` where a call never got a name. */
  end(): void {
    if (this.#all.every((call) => call.id !== '')) return
    throw new PipeError('protocol', 'the server sent a tool call without a name')
  }

  /** The call that an entry goes on with, or a new one: the same index with another id is another call. */
  #find(entry: JsonObject, name: string): Call {
    const wireId = text(entry['id'])
    const index = count(entry['index'])
    const known = index === undefined ? this.#unnumbered(wireId, name) : this.#byIndex.get(index)
    if (known !== undefined && (wireId === '' || known.wireId === '' || known.wireId === wireId)) {
      known.wireId ||= wireId
      return known
    }
    const call: Call = { wireId, id: '', early: '' }
    this.#all.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }

  /** Without an index an id or a name begins a call, unless the id is that of the call before. */
  #unnumbered(wireId: string, name: string): Call | undefined {
    const last = this.#all.at(-1)
    if (wireId !== '') return last?.wireId === wireId ? last : undefined
    return name === '' || last?.id === '' ? last : undefined
  }
}
