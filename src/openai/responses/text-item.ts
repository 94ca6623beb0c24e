import type { JsonObject } from '../../json-value.ts'
import type { AdapterEvent } from '../../reply/accumulator.ts'
import { objects, text } from '../../wire/json-fields.ts'
import type { ItemText, Keep, OutputItem, TextKind } from './output-item.ts'
import { PartedText } from './parted-text.ts'

/** A `message` or a `reasoning` item: one block of text or of thinking. */
export class TextItem implements OutputItem {
  readonly type: 'message' | 'reasoning'
  readonly #id: string
  readonly #texts = new Map<TextKind, PartedText>()
  #isSilent = true

  constructor(type: 'message' | 'reasoning', id: string) {
    this.type = type
    this.#id = id
  }

  /** Opens a thinking block at once, so that it keeps its place even if the server hides all of it. */
  begin(): readonly AdapterEvent[] {
    return this.type === 'reasoning' ? [{ type: 'block_meta', id: this.#id }] : []
  }

  piece({ kind, part, text }: ItemText): readonly AdapterEvent[] {
    return this.#say(this.#of(kind).piece(part, text))
  }

  whole({ kind, part, text }: ItemText): readonly AdapterEvent[] {
    return this.#say(this.#of(kind).whole(part, text))
  }

  end(item: JsonObject, keep: Keep): readonly AdapterEvent[] {
    const said = [...textsOf(item)].flatMap(([kind, texts]) => this.#say(this.#of(kind).all(texts)))
    if (this.type === 'reasoning')
      return [...said, { type: 'block_meta', id: this.#id, providerData: keep(item) }]
    // An empty message has no block.
    if (this.#isSilent) return said
    const { content: _, ...frame } = item
    return [...said, { type: 'block_meta', id: this.#id, providerData: keep(frame) }]
  }

  #of(kind: TextKind): PartedText {
    const known = this.#texts.get(kind)
    if (known !== undefined) return known
    // The parts of a summary are paragraphs with their own titles.
    const begun = new PartedText(kind === 'summary_text' ? '\n\n' : '')
    this.#texts.set(kind, begun)
    return begun
  }

  #say(delta: string): readonly AdapterEvent[] {
    if (delta === '') return []
    this.#isSilent = false
    return [{ type: this.type === 'reasoning' ? 'thinking_delta' : 'text_delta', id: this.#id, delta }]
  }
}

const kinds: readonly TextKind[] = ['summary_text', 'reasoning_text', 'output_text', 'refusal']

/** Returns the texts of an item's parts by kind. */
function textsOf(item: JsonObject): Map<TextKind, string[]> {
  const texts = new Map<TextKind, string[]>()
  for (const part of [...objects(item['summary']), ...objects(item['content'])]) {
    const kind = kinds.find((kind) => kind === part['type'])
    const words = text(part['text']) || text(part['refusal'])
    if (kind === undefined || words === '') continue
    texts.set(kind, [...(texts.get(kind) ?? []), words])
  }
  return texts
}
