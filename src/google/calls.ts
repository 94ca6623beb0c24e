import { ReplyCallIds } from '../http/dialect/reply-call-ids.ts'
import type { NewId } from '../id.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import type { AdapterEvent } from '../reply/accumulator.ts'
import { text } from '../wire/json-fields.ts'
import { PartialArgs } from './partial-args.ts'

interface OpenCall {
  readonly id: string
  /** Arguments that came at once. They override those that came in parts. */
  whole: JsonValue | undefined
  readonly partial: PartialArgs
}

/** Reads the calls of one reply. Most come in one part; some servers send the arguments value by value. */
export class FunctionCalls {
  readonly #ids: ReplyCallIds
  #open: OpenCall | undefined

  constructor(newId: NewId) {
    this.#ids = new ReplyCallIds(newId)
  }

  get any(): boolean {
    return this.#ids.any
  }

  /** Reads one `functionCall`. With a name it begins a call, else it continues the last. Returns the call's id, if any. */
  read(call: JsonObject, into: AdapterEvent[]): string | undefined {
    const name = text(call['name'])
    if (name !== '') this.#begin(name, text(call['id']), into)
    const open = this.#open
    if (open === undefined) return undefined
    open.whole = call['args'] ?? open.whole
    open.partial.add(call['partialArgs'])
    if (call['willContinue'] !== true) this.#close(into)
    return open.id
  }

  /** Ends the reply. An open call was cut: emits its arguments as incomplete JSON. */
  end(into: AdapterEvent[]): void {
    if (this.#open === undefined) return
    const { id, whole, partial } = this.#open
    into.push({ type: 'tool_call_delta', id, delta: JSON.stringify(whole ?? partial).slice(0, -1) })
    this.#open = undefined
  }

  #begin(name: string, wireId: string, into: AdapterEvent[]): void {
    this.#close(into)
    const id = this.#ids.begin(wireId)
    this.#open = { id, whole: undefined, partial: new PartialArgs() }
    into.push({ type: 'tool_call_begin', id, name })
  }

  #close(into: AdapterEvent[]): void {
    if (this.#open === undefined) return
    const { id, whole, partial } = this.#open
    into.push({ type: 'tool_call_delta', id, delta: JSON.stringify(whole ?? partial) })
    into.push({ type: 'call_complete', id })
    this.#open = undefined
  }
}
