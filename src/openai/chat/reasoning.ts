import type { JsonObject, JsonValue } from '../../json-value.ts'
import { objects, text } from '../../wire/json-fields.ts'

/** Reads the thinking in one delta. Servers use four names for it, some two at once. */
export function reasoningText(delta: JsonObject): string {
  return (
    text(delta['reasoning_content']) ||
    text(delta['reasoning']) ||
    objects(delta['reasoning_details'])
      .map((detail) => text(detail['text']) || text(detail['summary']))
      .join('')
  )
}

/** Reads a thinking part of a content array (Mistral): `{type: 'thinking', thinking: [{type: 'text', text}]}`. */
export function thinkingPart(part: JsonObject): string {
  if (part['type'] !== 'thinking') return ''
  return (
    text(part['thinking']) ||
    objects(part['thinking'])
      .map((inner) => text(inner['text']))
      .join('')
  )
}

type Draft = Record<string, JsonValue>

/** Collects `reasoning_details` (OpenRouter's proof of thinking) in the form to send back. O(1) per delta. */
export class ReasoningDetails {
  readonly #drafts: Draft[] = []

  add(value: JsonValue | undefined): void {
    for (const detail of objects(value)) this.#add(detail)
  }

  get isEmpty(): boolean {
    return this.#drafts.length === 0
  }

  all(): readonly JsonObject[] {
    return this.#drafts
  }

  #add(detail: JsonObject): void {
    const last = this.#drafts.at(-1)
    if (last === undefined || !isContinued(last, detail)) {
      this.#drafts.push({ ...detail })
      return
    }
    for (const [key, value] of Object.entries(detail)) {
      if (key === 'text' || key === 'summary') last[key] = text(last[key]) + text(value)
      else if (value !== null) last[key] = value
    }
  }
}

/** Whether a detail continues the last one: only text and summary come in pieces. */
function isContinued(last: Draft, { type, index }: JsonObject): boolean {
  if (type !== 'reasoning.text' && type !== 'reasoning.summary') return false
  return last['type'] === type && last['index'] === index
}
