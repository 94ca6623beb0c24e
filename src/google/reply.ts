import { laterUsage } from '../http/dialect/later-usage.ts'
import { type Author, ownData } from '../http/dialect/own-data.ts'
import { toStopReason } from '../http/dialect/stop-reason.ts'
import type { ReplyEnd, ReplyReader } from '../http/dialect/wire-provider.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { AdapterEvent } from '../reply/accumulator.ts'
import { object, objects, text } from '../wire/json-fields.ts'
import { FunctionCalls } from './calls.ts'
import { TextRun } from './text-run.ts'
import { firstCandidate, toUsage } from './wire.ts'

/** Converts one reply to our events, chunk by chunk. */
export class GeminiReader implements ReplyReader {
  readonly #author: Author
  readonly #calls: FunctionCalls
  #events: AdapterEvent[] = []
  /** The open run of text. */
  #run: TextRun | undefined
  #blocks = 0
  #usage: JsonObject | undefined
  #finishReason: string | undefined
  #finishMessage = ''
  #blockReason: string | undefined
  #responseId: string | undefined
  #model: string | undefined

  /** Keeps content that only the author understands. */
  constructor(author: Author, newId: NewId) {
    this.#author = author
    this.#calls = new FunctionCalls(newId)
  }

  /** Whether the stop reason or a block of the prompt has come. Usage, and with some models more, may still follow. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined || this.#blockReason !== undefined
  }

  /** Reads one `GenerateContentResponse`. */
  read(chunk: JsonObject): readonly AdapterEvent[] {
    this.#events = []
    this.#responseId = text(chunk['responseId']) || this.#responseId
    this.#model = text(chunk['modelVersion']) || this.#model
    this.#blockReason = text(object(chunk['promptFeedback'])?.['blockReason']) || this.#blockReason
    const candidate = firstCandidate(chunk)
    for (const part of objects(object(candidate?.['content'])?.['parts'])) this.#readPart(part)
    this.#finishReason = text(candidate?.['finishReason']) || this.#finishReason
    this.#finishMessage = text(candidate?.['finishMessage']) || this.#finishMessage
    this.#readUsage(object(chunk['usageMetadata']))
    return this.#events
  }

  end(): ReplyEnd {
    this.#events = []
    this.#endRun()
    this.#calls.end(this.#events)
    const stopReason = this.#isBlocked()
      ? 'refusal'
      : toStopReason(this.#finishReason, { calls: this.#calls.any })
    const finish = {
      stopReason,
      rawStopReason: this.#finishReason ?? this.#blockReason,
      usage: this.#usage && toUsage(this.#usage),
      responseId: this.#responseId,
      model: this.#model,
    }
    const named = [this.#finishReason ?? '', this.#finishMessage].filter((words) => words !== '')
    return { events: this.#events, finish, reason: named.join(': ') }
  }

  #isBlocked(): boolean {
    return this.#finishReason === undefined && this.#blockReason !== undefined
  }

  /** Reads usage. Its numbers are running totals, so the last ones count. */
  #readUsage(usage: JsonObject | undefined): void {
    if (usage === undefined) return
    this.#usage = laterUsage(this.#usage, usage) ?? usage
    this.#events.push({ type: 'usage', usage: toUsage(this.#usage) })
  }

  /** Reads a part. A signed part without shown content gets its own block, so that it goes back in its place. */
  #readPart(part: JsonObject): void {
    const thoughtSignature = text(part['thoughtSignature'])
    const call = object(part['functionCall'])
    if (call !== undefined) {
      this.#endRun()
      const id = this.#calls.read(call, this.#events)
      if (id !== undefined && thoughtSignature !== '') this.#keep(id, { thoughtSignature })
    } else if (!this.#readText(part, thoughtSignature)) {
      this.#endRun()
      if (thoughtSignature !== '') this.#keep(this.#nextBlock(), { part })
    }
  }

  /** Reads a text part. Returns false if it is not shown text and does not belong to the open run. */
  #readText(part: JsonObject, thoughtSignature: string): boolean {
    const delta = part['text']
    const type = part['thought'] === true ? 'thinking' : 'text'
    if (typeof delta !== 'string') return false
    if (delta === '' && thoughtSignature === '') return true
    if (this.#run?.type !== type) {
      if (delta === '') return false
      this.#endRun()
      this.#run = new TextRun(this.#nextBlock(), type)
    }
    this.#run.add(delta.length, thoughtSignature)
    if (delta !== '') this.#events.push({ type: `${type}_delta`, id: this.#run.id, delta })
    return true
  }

  #endRun(): void {
    const pieces = this.#run?.pieces
    if (this.#run !== undefined && pieces !== undefined) this.#keep(this.#run.id, { pieces })
    this.#run = undefined
  }

  #keep(id: string, data: JsonObject): void {
    this.#events.push({ type: 'block_meta', id, providerData: ownData(this.#author, data) })
  }

  #nextBlock(): string {
    return `block_${this.#blocks++}`
  }
}
