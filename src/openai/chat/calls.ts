import type { AdapterEvent } from '../../accumulator.ts'
import { count, jsonText, object, text } from '../../http/dialect/json-fields.ts'
import { ReplyCallIds } from '../../http/dialect/reply-call-ids.ts'
import type { NewId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'

interface Call {
  /** The server's id, empty where it gave none. */
  wireId: string
  /** Ours: the server's where it is the first with it, else made up. Empty until the call has begun. */
  id: string
  /** As far as it has come. */
  name: string
  /** Arguments that came before the name was whole. */
  early: string
}

/** Puts the calls of one reply together, from all the ways in which servers take them apart. */
export class ToolCalls {
  readonly #ids: ReplyCallIds
  /** In lower case: models are not strict about it. */
  readonly #tools: readonly string[]
  readonly #byIndex = new Map<number, Call>()
  readonly #all: Call[] = []

  /** `tools` are the names of those that the model may call. */
  constructor(newId: NewId, tools: readonly string[]) {
    this.#ids = new ReplyCallIds(newId)
    this.#tools = tools.map((tool) => tool.toLowerCase())
  }

  get any(): boolean {
    return this.#all.length > 0
  }

  /** One entry of a delta's `tool_calls`: `{index?, id?, function: {name?, arguments?}}`. */
  read(entry: JsonObject, into: AdapterEvent[]): void {
    const called = object(entry['function'])
    const name = text(called?.['name'])
    const call = this.#find(entry, name) ?? this.#add(entry, into)
    const delta = jsonText(called?.['arguments'])
    if (call.id !== '') {
      into.push({ type: 'tool_call_delta', id: call.id, delta })
      return
    }
    // Some servers send it in pieces, some as far as it has come with every piece.
    call.name = name.startsWith(call.name) ? name : call.name + name
    call.early += delta
    if (call.name !== '' && (call.early !== '' || !this.#isPiece(call.name))) this.#begin(call, into)
  }

  /** The reply is over: begins the calls that still wait for their name, or for more of it. */
  end(into: AdapterEvent[]): void {
    for (const call of this.#all) if (call.id === '') this.#begin(call, into)
  }

  /** Whether more of a name is to come: no tool has it, and it is how one's begins. */
  #isPiece(name: string): boolean {
    const said = name.toLowerCase()
    return !this.#tools.includes(said) && this.#tools.some((tool) => tool.startsWith(said))
  }

  #begin(call: Call, into: AdapterEvent[]): void {
    call.id = this.#ids.begin(call.wireId)
    into.push({ type: 'tool_call_begin', id: call.id, name: call.name })
    into.push({ type: 'tool_call_delta', id: call.id, delta: call.early })
  }

  /** The call that an entry goes on with: the same index with another id is another call. */
  #find(entry: JsonObject, name: string): Call | undefined {
    const wireId = text(entry['id'])
    const index = count(entry['index'])
    const known = index === undefined ? this.#unnumbered(wireId, name) : this.#byIndex.get(index)
    if (known === undefined || (wireId !== '' && known.wireId !== '' && known.wireId !== wireId))
      return undefined
    known.wireId ||= wireId
    return known
  }

  /** A new call. No more comes of the name of the one before it. */
  #add(entry: JsonObject, into: AdapterEvent[]): Call {
    const last = this.#all.at(-1)
    if (last?.id === '' && last.name !== '') this.#begin(last, into)
    const call: Call = { wireId: text(entry['id']), id: '', name: '', early: '' }
    const index = count(entry['index'])
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
