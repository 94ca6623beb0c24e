import type { AdapterEvent } from '../../accumulator.ts'
import type { JsonObject } from '../../json-value.ts'
import type { ProviderData } from '../../message.ts'

/** The kinds of text that items hold; the names are those of the parts, where the item has parts. */
export type TextKind = 'output_text' | 'refusal' | 'summary_text' | 'reasoning_text' | 'arguments'

/** Text of an item: a piece of it, or a part at its end. */
export interface ItemText {
  readonly kind: TextKind
  /** The number of the part among those of its kind. */
  readonly part: number
  readonly text: string
}

/** Makes what lets an item go back to the server that wrote it. */
export type Keep = (item: JsonObject) => ProviderData

/** One item of a reply as it comes. What is repeated at its end is not said twice. */
export interface OutputItem {
  readonly type: string
  begin(item: JsonObject): readonly AdapterEvent[]
  piece(text: ItemText): readonly AdapterEvent[]
  whole(text: ItemText): readonly AdapterEvent[]
  /** The item as the server has it at its end, which may be the first that is seen of it. */
  end(item: JsonObject, keep: Keep): readonly AdapterEvent[]
}
