import type { ReplyCallIds } from '../../http/dialect/reply-call-ids.ts'
import { type JsonObject, parseJson } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AdapterEvent } from '../../reply/accumulator.ts'
import { isNoArguments, jsonText, text } from '../../wire/json-fields.ts'
import type { ItemText, Keep, OutputItem } from './output-item.ts'

/** A call of one of our tools. Converts the free text arguments of a custom tool to a JSON string. */
export class CallItem implements OutputItem {
  readonly type: 'function_call' | 'custom_tool_call'
  readonly #ids: ReplyCallIds
  /** Our id; empty until the call has begun. */
  #id = ''
  #isWhole = false
  /** Whether its arguments came with its beginning. Later events may repeat them. */
  #isGiven = false

  /** `ids` are shared by the whole reply. */
  constructor(type: 'function_call' | 'custom_tool_call', ids: ReplyCallIds) {
    this.type = type
    this.#ids = ids
  }

  /** Begins the call. Without a name, it waits for the item's end. */
  begin(item: JsonObject): readonly AdapterEvent[] {
    if (text(item['name']) === '') return []
    const begun = this.#open(item)
    const delta = jsonText(item['arguments'])
    this.#isGiven = !isNoArguments(delta) && parseJson(delta) !== undefined
    return this.#isGiven ? [...begun, { type: 'tool_call_delta', id: this.#id, delta }] : begun
  }

  piece({ text: delta }: ItemText): readonly AdapterEvent[] {
    const isReadable = this.type === 'function_call' && this.#id !== '' && !this.#isWhole && !this.#isGiven
    return isReadable ? [{ type: 'tool_call_delta', id: this.#id, delta }] : []
  }

  /** Completes the arguments. Without a text, waits for the item's end. */
  whole({ text }: ItemText): readonly AdapterEvent[] {
    return text === '' ? [] : this.#complete(text)
  }

  end(item: JsonObject, keep: Keep): readonly AdapterEvent[] {
    const begun = this.#open(item)
    const { name: _, call_id: __, arguments: args, input, ...frame } = item
    if (this.type === 'custom_tool_call') return [...begun, ...this.#complete(text(input))]
    return [
      ...begun,
      ...this.#complete(jsonText(args)),
      { type: 'block_meta', id: this.#id, providerData: keep(frame) },
    ]
  }

  #open(item: JsonObject): readonly AdapterEvent[] {
    if (this.#id !== '') return []
    this.#id = this.#ids.begin(text(item['call_id']))
    return [{ type: 'tool_call_begin', id: this.#id, name: text(item['name']) }]
  }

  #complete(source: string): readonly AdapterEvent[] {
    if (this.#id === '' || this.#isWhole) return []
    this.#isWhole = true
    const whole = this.type === 'custom_tool_call' ? JSON.stringify(source) : source || undefined
    return [{ type: 'call_complete', id: this.#id, ...omitUndefined({ text: whole }) }]
  }
}
