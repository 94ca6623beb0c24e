import { unreachable } from '../error.ts'
import { ReplyCallIds } from '../http/dialect/reply-call-ids.ts'
import { toStopReason } from '../http/dialect/stop-reason.ts'
import type { ReplyEnd, ReplyReader } from '../http/dialect/wire-provider.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { AdapterEvent, Finish } from '../reply/accumulator.ts'
import { isNoArguments, jsonText, object, text } from '../wire/json-fields.ts'
import type { ThoughtBinding } from './binding.ts'
import { mergeUsage, toUsage } from './wire.ts'

/** An open block of the reply. */
interface Block {
  readonly id: string
  readonly type: 'text' | 'thinking' | 'tool_use'
  /** A call's arguments from its beginning, as long as no others have come. */
  input: string | undefined
}

/** Converts one reply to our events, event by event. */
export class MessagesReader implements ReplyReader {
  readonly #binding: ThoughtBinding
  /** Open blocks by index; `undefined` for one of a kind that is skipped. */
  readonly #open = new Map<unknown, Block | undefined>()
  readonly #callIds: ReplyCallIds
  #events: AdapterEvent[] = []
  #blocks = 0
  #usage: JsonObject | undefined
  #stopReason: string | undefined
  #responseId: string | undefined
  #model: string | undefined
  #stopped = false

  /** The data of `binding` is kept with each thought. */
  constructor(newId: NewId, binding: ThoughtBinding) {
    this.#callIds = new ReplyCallIds(newId)
    this.#binding = binding
  }

  /** Whether `message_stop` has come. The stop reason before it does not end a reply. */
  get isFinished(): boolean {
    return this.#stopped
  }

  get isComplete(): boolean {
    return this.#stopped
  }

  read(event: JsonObject): readonly AdapterEvent[] {
    this.#events = []
    switch (event['type']) {
      case 'message_start':
        this.#readStart(object(event['message']) ?? {})
        break
      case 'content_block_start':
        this.#begin(event['index'], object(event['content_block']) ?? {})
        break
      case 'content_block_delta':
        this.#readDelta(event['index'], object(event['delta']) ?? {})
        break
      case 'content_block_stop':
        this.#end(event['index'])
        break
      case 'message_delta':
        this.#stopReason = text(object(event['delta'])?.['stop_reason']) || this.#stopReason
        this.#readUsage(event)
        break
      case 'message_stop':
        this.#stopped = true
    }
    return this.#events
  }

  end(): ReplyEnd {
    this.#events = []
    for (const index of this.#open.keys()) this.#end(index)
    const finish: Finish = {
      stopReason: toStopReason(this.#stopReason, { calls: this.#callIds.any }),
      usage: this.#usage && toUsage(this.#usage),
      rawStopReason: this.#stopReason,
      responseId: this.#responseId,
      model: this.#model,
    }
    return { events: this.#events, finish }
  }

  #readStart(message: JsonObject): void {
    this.#responseId = text(message['id']) || this.#responseId
    this.#model = text(message['model']) || this.#model
    this.#readUsage(message)
  }

  /** Reads usage. Its numbers are running totals. */
  #readUsage(from: JsonObject): void {
    const usage = object(from['usage'])
    if (usage === undefined) return
    this.#usage = mergeUsage(this.#usage ?? {}, usage)
    this.#events.push({ type: 'usage', usage: toUsage(this.#usage) })
  }

  #begin(index: unknown, content: JsonObject): void {
    const id = `block_${this.#blocks++}`
    this.#open.set(index, undefined)
    switch (content['type']) {
      case 'text':
        this.#open.set(index, { id, type: 'text', input: '' })
        this.#say(id, text(content['text']))
        break
      case 'thinking':
        this.#open.set(index, { id, type: 'thinking', input: '' })
        this.#think(id, text(content['thinking']))
        this.#sign(id, text(content['signature']))
        break
      case 'redacted_thinking':
        this.#events.push({
          type: 'block_meta',
          id,
          redacted: true,
          signature: text(content['data']),
          providerData: this.#binding.data,
        })
        break
      case 'tool_use':
        this.#call(index, content)
    }
  }

  #call(index: unknown, { id: wireId, name, input }: JsonObject): void {
    const id = this.#callIds.begin(text(wireId))
    this.#open.set(index, { id, type: 'tool_use', input: jsonText(input) })
    this.#events.push({ type: 'tool_call_begin', id, name: text(name) })
  }

  #readDelta(index: unknown, delta: JsonObject): void {
    const block = this.#open.has(index) ? this.#open.get(index) : this.#beginWith(index, delta)
    if (block === undefined) return
    switch (block.type) {
      case 'text':
        this.#say(block.id, text(delta['text']))
        break
      case 'thinking':
        this.#think(block.id, text(delta['thinking']))
        this.#sign(block.id, text(delta['signature']))
        break
      case 'tool_use':
        this.#extend(block, jsonText(delta['partial_json']))
        break
      default:
        unreachable(block.type)
    }
  }

  /** Opens the block of a delta that comes without its beginning, from some gateways. A call without its name is lost. */
  #beginWith(index: unknown, { type }: JsonObject): Block | undefined {
    const kind = type === 'text_delta' ? 'text' : type === 'thinking_delta' ? 'thinking' : undefined
    if (kind !== undefined) this.#begin(index, { type: kind })
    return this.#open.get(index)
  }

  #end(index: unknown): void {
    const block = this.#open.get(index)
    this.#open.delete(index)
    if (block?.type !== 'tool_use') return
    this.#extend(block, block.input ?? '')
    this.#events.push({ type: 'call_complete', id: block.id })
  }

  /** Adds a piece of a call's arguments. Skips an empty object before the real ones, which some servers send first. */
  #extend(block: Block, delta: string): void {
    if (delta === '' || (block.input !== undefined && isNoArguments(delta))) return
    block.input = undefined
    this.#events.push({ type: 'tool_call_delta', id: block.id, delta })
  }

  #say(id: string, delta: string): void {
    if (delta !== '') this.#events.push({ type: 'text_delta', id, delta })
  }

  #think(id: string, delta: string): void {
    if (delta !== '') this.#events.push({ type: 'thinking_delta', id, delta })
  }

  /** Adds a signature. It also opens a block whose text is hidden from us. */
  #sign(id: string, signature: string): void {
    if (signature !== '')
      this.#events.push({ type: 'block_meta', id, signature, providerData: this.#binding.data })
  }
}
