import { PipeError, unreachable } from '../error.ts'
import type { StreamEvent, ToolCallBegin, ToolCallEnd } from '../event.ts'
import type { MessageId } from '../id.ts'
import type { AssistantMessage, ContentBlock, ProviderData, ToolCallBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { noUsage, type StopReason, type Usage } from '../usage.ts'
import { readArguments } from './call-arguments.ts'
import { ReplySize } from './reply-size.ts'
import { StringBuilder } from './string-builder.ts'

/** Metadata of a block besides its text. An unknown `id` opens a thinking block. */
export interface BlockMeta {
  readonly type: 'block_meta'
  readonly id: string
  readonly signature?: string
  readonly redacted?: boolean
  readonly providerData?: ProviderData
}

/** The usage so far. The last update counts. */
export interface UsageUpdate {
  readonly type: 'usage'
  readonly usage: Usage
}

/** The end of a call's arguments. `text` replaces the collected deltas if a server repeats the arguments at the end. */
export interface CallComplete {
  readonly type: 'call_complete'
  readonly id: string
  readonly text?: string
}

/** Events from an adapter. Calls still open at its `Finish` are completed for it. */
export type AdapterEvent = Exclude<StreamEvent, ToolCallEnd> | BlockMeta | UsageUpdate | CallComplete

/** Another reading of a whole reply, and a note for its metadata that says why. */
export interface Revision {
  readonly content: readonly ContentBlock[]
  readonly note: Readonly<Record<string, string>>
}

/** The end of a reply. */
export interface Finish {
  readonly stopReason: StopReason
  readonly rawStopReason?: string | undefined
  readonly usage?: Usage | undefined
  readonly responseId?: string | undefined
  /** The request's id in the server's own logs. */
  readonly requestId?: string
  /** The model that answered, if the server reports it. */
  readonly model?: string | undefined
  readonly providerData?: ProviderData | undefined
  /** Reads the whole content of a normal reply again. Default: it stands as it came. */
  readonly revise?: (content: readonly ContentBlock[]) => Revision | undefined
}

export interface Speaker {
  readonly id: MessageId
  readonly timestamp: string
  readonly provider: string
  readonly model: string
}

interface TextDraft {
  readonly type: 'text' | 'thinking'
  text: StringBuilder
  meta: Omit<BlockMeta, 'type' | 'id'>
}

interface CallDraft {
  readonly type: 'tool_call'
  readonly name: string
  text: StringBuilder
  meta: Omit<BlockMeta, 'type' | 'id'>
  whole: ToolCallBlock | undefined
}

/** Name of a call without a name. No tool has it, so the model gets an error. */
const unnamed = 'unnamed'

/** Builds an `AssistantMessage` from deltas. Each delta costs O(1); `snapshot` builds a fresh value. */
export class Accumulator {
  readonly #speaker: Speaker
  readonly #size: ReplySize
  readonly #blocks = new Map<string, TextDraft | CallDraft>()
  #usage: Usage = noUsage
  #finish: Finish | undefined
  #revision: Revision | undefined

  /** `limit`: maximum characters of the reply. */
  constructor(speaker: Speaker, limit?: number) {
    this.#speaker = speaker
    this.#size = new ReplySize(speaker.provider, limit)
  }

  /** Adds one event and returns it if it is visible. Throws `length` if the reply grows too large. */
  add(event: AdapterEvent): StreamEvent | undefined {
    switch (event.type) {
      case 'text_delta':
        return this.#append(event, 'text') ? event : undefined
      case 'thinking_delta':
        return this.#append(event, 'thinking') ? event : undefined
      case 'tool_call_begin':
        if (this.#blocks.has(event.id)) throw protocol(`the id ${event.id} is used twice in one reply`)
        return this.#begin(event.id, event.name.trim() === '' ? unnamed : event.name)
      case 'tool_call_delta':
        if (event.delta === '') return undefined
        this.#size.add(event.delta)
        this.#openCall(event.id).text.add(event.delta)
        return event
      case 'call_complete':
        return this.#complete(event.id, event.text)
      case 'block_meta':
        this.#annotate(event)
        return undefined
      case 'usage':
        this.#usage = event.usage
        return undefined
      default:
        return unreachable(event)
    }
  }

  /**
   * Ends the reply and returns the ends of calls that were still open. An unknown stop reason becomes `tool_use` if there are
   * calls. Throws `network` if one of these is cut off.
   */
  finish(finish: Finish): ToolCallEnd[] {
    if (finish.usage !== undefined) this.#usage = finish.usage
    const open = [...this.#blocks].filter(
      ([, block]) => block.type === 'tool_call' && block.whole === undefined,
    )
    const ends = open.map(([id]) => this.#complete(id, undefined))
    this.#finish = finish.stopReason === 'unknown' ? this.#explained(finish) : finish
    this.#revision = finish.revise?.(this.#content())
    return ends
  }

  /** Returns the message so far. `interrupted` is its stop reason if the reply has not ended. */
  snapshot(interrupted: StopReason): AssistantMessage {
    const { id, timestamp, provider, model } = this.#speaker
    const finish: Finish = this.#finish ?? { stopReason: interrupted }
    return {
      type: 'assistant',
      id,
      content: this.#revision?.content ?? this.#content(),
      timestamp,
      provider,
      model: finish.model ?? model,
      stopReason: finish.stopReason,
      usage: this.#usage,
      ...omitUndefined({
        rawStopReason: finish.rawStopReason,
        responseId: finish.responseId,
        requestId: finish.requestId,
        providerData: finish.providerData,
        metadata: this.#revision?.note,
      }),
    }
  }

  #content(): readonly ContentBlock[] {
    return [...this.#blocks].map(([id, block]) => toBlock(id, block))
  }

  #explained(finish: Finish): Finish {
    const calls = [...this.#blocks.values()].filter((block) => block.type === 'tool_call')
    if (calls.some(({ whole }) => whole?.argumentsRaw !== undefined)) throw this.#cutOff(finish)
    return calls.length === 0 ? finish : { ...finish, stopReason: 'tool_use' }
  }

  #cutOff({ requestId }: Finish): PipeError {
    const details = omitUndefined({ request_id: requestId })
    return new PipeError('network', `the reply of ${this.#speaker.provider} was cut off in a tool call`, {
      details,
    })
  }

  #append(event: { readonly id: string; readonly delta: string }, type: 'text' | 'thinking'): boolean {
    if (event.delta === '') return false
    this.#size.add(event.delta)
    const block = this.#blocks.get(event.id)
    if (block === undefined) this.#open(event.id, { type, text: new StringBuilder(event.delta), meta: {} })
    else if (block.type === type) block.text.add(event.delta)
    else throw protocol(`block ${event.id} is ${block.type}, not ${type}`)
    return true
  }

  #begin(id: string, name: string): ToolCallBegin {
    this.#size.add(name)
    this.#open(id, { type: 'tool_call', name, text: new StringBuilder(), meta: {}, whole: undefined })
    return { type: 'tool_call_begin', id, name }
  }

  #open(id: string, block: TextDraft | CallDraft): void {
    this.#size.addBlock()
    this.#blocks.set(id, block)
  }

  #openCall(id: string): CallDraft {
    const block = this.#blocks.get(id)
    if (block?.type === 'tool_call' && block.whole === undefined) return block
    throw protocol(`no tool call ${id} is open`)
  }

  #complete(id: string, text: string | undefined): ToolCallEnd {
    const draft = this.#openCall(id)
    if (text !== undefined) {
      this.#size.add(text.slice(draft.text.toString().length))
      draft.text = new StringBuilder(text)
    }
    draft.whole = parseCall(id, draft)
    return { type: 'tool_call_end', call: draft.whole }
  }

  #annotate({ type: _, id, ...meta }: BlockMeta): void {
    this.#size.add(meta.signature ?? '')
    const block = this.#blocks.get(id)
    if (block === undefined) this.#open(id, { type: 'thinking', text: new StringBuilder(), meta })
    else block.meta = { ...block.meta, ...meta }
  }
}

function toBlock(id: string, draft: TextDraft | CallDraft): ContentBlock {
  const { signature, redacted, providerData } = draft.meta
  const data = omitUndefined({ providerData })
  switch (draft.type) {
    case 'text':
      return { type: 'text', text: draft.text.toString(), ...data }
    case 'thinking':
      return {
        type: 'thinking',
        thinking: draft.text.toString(),
        ...omitUndefined({ signature, redacted }),
        ...data,
      }
    case 'tool_call':
      return { ...(draft.whole ?? cutCall(id, draft)), ...data }
    default:
      return unreachable(draft)
  }
}

/** Ends a call. Arguments that are not JSON or nest too deeply are kept raw and never run. */
function parseCall(id: string, draft: CallDraft): ToolCallBlock {
  const args = readArguments(draft.text.toString())
  return args === undefined
    ? cutCall(id, draft)
    : { type: 'tool_call', id, name: draft.name, arguments: args }
}

function cutCall(id: string, draft: CallDraft): ToolCallBlock {
  return { type: 'tool_call', id, name: draft.name, arguments: null, argumentsRaw: draft.text.toString() }
}

function protocol(what: string): PipeError {
  return new PipeError('protocol', `the server broke its protocol: ${what}`)
}
