import { laterUsage } from '../../http/dialect/later-usage.ts'
import { type Author, ownData } from '../../http/dialect/own-data.ts'
import { toStopReason } from '../../http/dialect/stop-reason.ts'
import type { TaggedText } from '../../http/dialect/think-tags.ts'
import type { ReplyEnd, ReplyReader } from '../../http/dialect/wire-provider.ts'
import type { NewId } from '../../id.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { AdapterEvent } from '../../reply/accumulator.ts'
import { object, objects, text } from '../../wire/json-fields.ts'
import { ToolCalls } from './calls.ts'
import { reasoningText, ThinkingProof, thinkingPart } from './reasoning.ts'
import { firstChoice, streamFailure, toUsage, usageOf } from './wire.ts'

/** Converts one reply to our events, chunk by chunk. */
export class ChatReader implements ReplyReader {
  readonly #author: Author
  readonly #calls: ToolCalls
  readonly #text: TaggedText
  readonly #proof = new ThinkingProof()
  #events: AdapterEvent[] = []
  #usage: JsonObject | undefined
  #finishReason: string | undefined
  #failure: JsonObject | undefined
  #responseId: string | undefined
  #model: string | undefined
  #refused = false

  /** Keeps content that only the author understands. `tools` are the names of the available tools; `text` reads what it says. */
  constructor(author: Author, newId: NewId, tools: readonly string[], text: TaggedText) {
    this.#author = author
    this.#calls = new ToolCalls(newId, tools)
    this.#text = text
  }

  /** Some servers never send a stop reason. */
  readonly endsWithDone = true

  /** Whether the stop reason or a failure has come. Usage may still follow. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined || this.#failure !== undefined
  }

  /** Reads one `chat.completion.chunk`, or a whole `chat.completion`. */
  read(chunk: JsonObject): readonly AdapterEvent[] {
    this.#events = []
    this.#responseId = text(chunk['id']) || this.#responseId
    this.#model = text(chunk['model']) || this.#model
    const choice = firstChoice(chunk)
    this.#usage = laterUsage(this.#usage, usageOf(chunk, choice))
    this.#finishReason = text(choice?.['finish_reason']) || this.#finishReason
    this.#failure = streamFailure(chunk, choice) ?? this.#failure
    const delta = object(choice?.['delta']) ?? object(choice?.['message'])
    if (delta !== undefined) this.#readDelta(delta)
    return this.#events
  }

  end(): ReplyEnd {
    this.#events = [...this.#text.end()]
    this.#calls.end(this.#events, (data) => ownData(this.#author, data))
    const proof = this.#proof.data
    if (proof !== undefined)
      this.#events.push({ type: 'block_meta', id: 'thinking', providerData: ownData(this.#author, proof) })
    const seen = { calls: this.#calls.any, refusal: this.#refused }
    const finish = {
      stopReason: toStopReason(this.#finishReason, seen),
      revise: this.#text.revise,
      rawStopReason: this.#finishReason,
      usage: this.#usage && toUsage(this.#usage),
      responseId: this.#responseId,
      model: this.#model,
    }
    return { events: this.#events, finish, failure: this.#failure }
  }

  #readDelta(delta: JsonObject): void {
    this.#think(reasoningText(delta))
    this.#readProof(delta)
    this.#readContent(delta['content'])
    const refusal = text(delta['refusal'])
    if (refusal !== '') this.#refused = true
    this.#say(refusal)
    for (const call of objects(delta['tool_calls'])) this.#calls.read(call, this.#events)
    const legacy = object(delta['function_call'])
    if (legacy !== undefined) this.#calls.read({ index: 0, function: legacy }, this.#events)
  }

  #readContent(content: JsonValue | undefined): void {
    this.#say(text(content))
    for (const part of objects(content)) {
      this.#think(thinkingPart(part))
      if (part['type'] === 'text') this.#say(text(part['text']))
    }
  }

  /** Adds to the proof. Its beginning opens the block, so that hidden thinking keeps its place; `end` adds the whole. */
  #readProof(delta: JsonObject): void {
    const first = this.#proof.isEmpty
    this.#proof.add(delta)
    if (first && !this.#proof.isEmpty) this.#events.push({ type: 'block_meta', id: 'thinking' })
  }

  #say(delta: string): void {
    this.#events.push(...this.#text.say(delta))
  }

  #think(delta: string): void {
    this.#events.push(...this.#text.think(delta))
  }
}
