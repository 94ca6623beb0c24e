import type { JsonObject } from '../../json-value.ts'
import type { ProviderData } from '../../message.ts'
import type { AdapterEvent } from '../../reply/accumulator.ts'

/** Kinds of text in items, named after the parts, if an item has parts. */
export type TextKind = 'output_text' | 'refusal' | 'summary_text' | 'reasoning_text' | 'arguments'

/** Text of an item: a piece, or a complete part. */
export interface ItemText {
  readonly kind: TextKind
  /** Number of the part among those of its kind. */
  readonly part: number
  readonly text: string
}

/** Builds the data to send an item back to its server. */
export type Keep = (item: JsonObject) => ProviderData

/** Reads one item of a reply. Emits text that is repeated at its end only once. */
export interface OutputItem {
  readonly type: string
  begin(item: JsonObject): readonly AdapterEvent[]
  piece(text: ItemText): readonly AdapterEvent[]
  whole(text: ItemText): readonly AdapterEvent[]
  /** Reads the complete item at its end, which may be its first event. */
  end(item: JsonObject, keep: Keep): readonly AdapterEvent[]
}
