import type { JsonObject, JsonValue } from '../../json-value.ts'
import { object, objects, text } from '../../wire/json-fields.ts'

/** Fields with the thinking of a delta, by server: DeepSeek and many others, OpenRouter and Groq, GitHub Copilot. */
const thoughtFields: readonly string[] = ['reasoning_content', 'reasoning', 'reasoning_text']

/** Reads the thinking in one delta. Some servers send it under two names at once. */
export function reasoningText(delta: JsonObject): string {
  for (const field of thoughtFields) {
    // A gateway of Bedrock wraps the text in an object.
    const thought = text(delta[field]) || text(object(delta[field])?.['text'])
    if (thought !== '') return thought
  }
  return joined(objects(delta['reasoning_details']))
}

/** Reads a thinking part of a content array, of the type `thinking` (Mistral) or `reasoning` (Databricks). */
export function thinkingPart(part: JsonObject): string {
  switch (part['type']) {
    case 'thinking':
      return text(part['thinking']) || joined(objects(part['thinking']))
    case 'reasoning':
      return text(part['text']) || joined(objects(part['summary']))
    default:
      return ''
  }
}

function joined(pieces: readonly JsonObject[]): string {
  return pieces.map((piece) => text(piece['text']) || text(piece['summary'])).join('')
}

type Draft = Record<string, JsonValue>

/** Fields whose text comes in pieces. */
const grown: readonly string[] = ['text', 'summary', 'thinking']

/**
 * Collects the proof of thinking in the form to send back: `reasoning_details` of OpenRouter, `thinking_blocks` of LiteLLM. O(1) per
 * delta.
 */
export class ThinkingProof {
  readonly #details: Draft[] = []
  readonly #blocks: Draft[] = []

  add(delta: JsonObject): void {
    for (const detail of objects(delta['reasoning_details'])) addPiece(this.#details, detail, isSameDetail)
    for (const block of objects(delta['thinking_blocks'])) addPiece(this.#blocks, block, isSameThought)
  }

  /** Whether nothing has come. */
  get isEmpty(): boolean {
    return this.#details.length === 0 && this.#blocks.length === 0
  }

  /** The proof so far, if any. A thought without its signature proves nothing. */
  get data(): JsonObject | undefined {
    const blocks = this.#blocks.filter(({ signature, data }) => text(signature) !== '' || text(data) !== '')
    const lists = {
      ...(this.#details.length > 0 ? { reasoning_details: this.#details } : {}),
      ...(blocks.length > 0 ? { thinking_blocks: blocks } : {}),
    }
    return Object.keys(lists).length > 0 ? lists : undefined
  }
}

function addPiece(
  drafts: Draft[],
  piece: JsonObject,
  isSame: (last: Draft, piece: JsonObject) => boolean,
): void {
  const last = drafts.at(-1)
  if (last === undefined || !isSame(last, piece)) {
    drafts.push({ ...piece })
    return
  }
  for (const [key, value] of Object.entries(piece)) {
    if (grown.includes(key)) last[key] = text(last[key]) + text(value)
    else if (value !== null) last[key] = value
  }
}

/** Whether a detail continues the last one: only text and summary come in pieces. */
function isSameDetail(last: Draft, { type, index }: JsonObject): boolean {
  if (type !== 'reasoning.text' && type !== 'reasoning.summary') return false
  return last['type'] === type && last['index'] === index
}

/** Whether a piece continues the last thought, which ends with its signature. */
function isSameThought(last: Draft, { type }: JsonObject): boolean {
  return type === 'thinking' && last['type'] === type && text(last['signature']) === ''
}
