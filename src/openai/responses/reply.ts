import { laterUsage } from '../../http/dialect/later-usage.ts'
import { type Author, ownData } from '../../http/dialect/own-data.ts'
import { ReplyCallIds } from '../../http/dialect/reply-call-ids.ts'
import { toStopReason } from '../../http/dialect/stop-reason.ts'
import type { ReplyEnd, ReplyReader } from '../../http/dialect/wire-provider.ts'
import type { NewId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { ProviderData } from '../../message.ts'
import type { AdapterEvent, Finish } from '../../reply/accumulator.ts'
import { count, object, objects, text } from '../../wire/json-fields.ts'
import { CallItem } from './call-item.ts'
import type { OutputItem, TextKind } from './output-item.ts'
import { TextItem } from './text-item.ts'
import { stopWord, toUsage } from './wire.ts'

/** Converts one reply to our events, event by event. */
export class ResponsesReader implements ReplyReader {
  readonly #author: Author
  /** Items by their index in the output, or by id if a server leaves it out. */
  readonly #items = new Map<unknown, OutputItem>()
  readonly #callIds: ReplyCallIds
  readonly #isAtLimit: (tokens: number) => boolean
  #blocks = 0
  #stopWord: string | undefined
  #usage: JsonObject | undefined
  #responseId: string | undefined
  #model: string | undefined
  #refused = false

  /**
   * Keeps content that only the author understands. `isAtLimit` tells whether this many tokens fill the reply, because some
   * servers report such a reply as completed.
   */
  constructor(author: Author, newId: NewId, isAtLimit: (tokens: number) => boolean = () => false) {
    this.#author = author
    this.#callIds = new ReplyCallIds(newId)
    this.#isAtLimit = isAtLimit
  }

  get isFinished(): boolean {
    return this.#stopWord !== undefined
  }

  get isComplete(): boolean {
    return this.isFinished
  }

  read(event: JsonObject): readonly AdapterEvent[] {
    const type = text(event['type'])
    // Some servers send the response itself as the last event.
    const response = object(event['response']) ?? (stopWord(type, event) === undefined ? undefined : event)
    if (response !== undefined) return this.#readResponse(type, response)
    const item = object(event['item'])
    const key = count(event['output_index']) ?? (text(event['item_id']) || text(item?.['id']))
    if (item === undefined) return this.#readText(type, key, event)
    if (type === 'response.output_item.added') return this.#begin(key, item)?.begin(item) ?? []
    return type === 'response.output_item.done' ? this.#end(key, item) : []
  }

  end(): ReplyEnd {
    const seen = { calls: this.#callIds.any, refusal: this.#refused }
    const usage = this.#usage && toUsage(this.#usage)
    const isCut = this.#stopWord === 'completed' && this.#isAtLimit(usage?.outputTokens ?? 0)
    const finish: Finish = {
      stopReason: isCut ? 'length' : toStopReason(this.#stopWord, seen),
      rawStopReason: this.#stopWord,
      usage,
      responseId: this.#responseId,
      model: this.#model,
    }
    return this.#stopWord === 'failed' ? { finish, failure: { message: 'no reason given' } } : { finish }
  }

  #readResponse(type: string, response: JsonObject): readonly AdapterEvent[] {
    this.#responseId = text(response['id']) || this.#responseId
    this.#model = text(response['model']) || this.#model
    this.#usage = laterUsage(this.#usage, object(response['usage']))
    this.#stopWord = stopWord(type, response) ?? this.#stopWord
    // The last event repeats all items: reads them if none came before, and calls that did not come before.
    if (!this.isFinished) return []
    const isFirst = this.#items.size === 0
    return objects(response['output'])
      .filter((item) => isFirst || this.#isNewCall(item))
      .flatMap((item) => this.#end(item, item))
  }

  #isNewCall(item: JsonObject): boolean {
    const wireId = text(item['call_id'])
    return wireId !== '' && !this.#callIds.has(wireId)
  }

  #readText(type: string, key: unknown, event: JsonObject): readonly AdapterEvent[] {
    const source = sources.get(type)
    if (source === undefined) return []
    const known = this.#items.get(key)
    const item = known?.type === source.item ? known : this.#begin(key, { type: source.item })
    const said = {
      kind: source.kind,
      part: count(event['content_index']) ?? count(event['summary_index']) ?? 0,
      text: text(event[source.field]),
    }
    this.#refused ||= said.kind === 'refusal'
    return (source.isWhole ? item?.whole(said) : item?.piece(said)) ?? []
  }

  #begin(key: unknown, { type }: JsonObject): OutputItem | undefined {
    const item = this.#create(type)
    if (item !== undefined) this.#items.set(key, item)
    return item
  }

  #create(type: unknown): OutputItem | undefined {
    switch (type) {
      case 'message':
      case 'reasoning':
        return new TextItem(type, `block_${this.#blocks++}`)
      case 'function_call':
      case 'custom_tool_call':
        return new CallItem(type, this.#callIds)
      default:
        return undefined
    }
  }

  #end(key: unknown, item: JsonObject): readonly AdapterEvent[] {
    const known = this.#items.get(key)
    const ended = known?.type === item['type'] ? known : this.#begin(key, item)
    this.#refused ||= objects(item['content']).some((part) => part['type'] === 'refusal')
    return ended?.end(item, this.#keep) ?? []
  }

  readonly #keep = (item: JsonObject): ProviderData => ownData(this.#author, { item })
}

interface TextSource {
  readonly item: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call'
  readonly kind: TextKind
  /** The event's field with the text. */
  readonly field: string
  /** Whether it is the whole text instead of the next piece. */
  readonly isWhole: boolean
}

function source(
  name: string,
  item: TextSource['item'],
  kind: TextKind,
  field: string,
): readonly (readonly [string, TextSource])[] {
  return [
    [`response.${name}.delta`, { item, kind, field: 'delta', isWhole: false }],
    [`response.${name}.done`, { item, kind, field, isWhole: true }],
  ]
}

/** The events that carry text. */
const sources: ReadonlyMap<string, TextSource> = new Map([
  ...source('output_text', 'message', 'output_text', 'text'),
  // Names that other servers use
  ['response.content_part.delta', { item: 'message', kind: 'output_text', field: 'delta', isWhole: false }],
  ...source('reasoning', 'reasoning', 'reasoning_text', 'text'),
  ...source('refusal', 'message', 'refusal', 'refusal'),
  ...source('reasoning_summary_text', 'reasoning', 'summary_text', 'text'),
  ...source('reasoning_text', 'reasoning', 'reasoning_text', 'text'),
  ...source('function_call_arguments', 'function_call', 'arguments', 'arguments'),
  ...source('custom_tool_call_input', 'custom_tool_call', 'arguments', 'input'),
])
