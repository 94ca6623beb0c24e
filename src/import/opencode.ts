import type { JsonObject } from '../json-value.ts'
import type { ContentBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { StopReason, Usage } from '../usage.ts'
import { count, object, objects, text } from '../wire/json-fields.ts'
import type { Format, FormatReader } from './agent-format.ts'
import type { EntryPlace, ReplyEntry, ResultEntry } from './import-entry.ts'
import { nameInFile } from './left-out.ts'
import { callBlock, endingOf, mediaBlockOf, textBlock } from './media-blocks.ts'
import type { SessionDraft } from './session-draft.ts'

/** The output of `opencode export`: one document of the session and its messages, each in parts. */
export const opencode: Format = {
  agent: 'opencode',
  recognises: (line) => text(object(line['info'])?.['id']) !== '' && Array.isArray(line['messages']),
  open: (draft) => new Reader(draft),
}

/** Parts that keep account of the work. */
const bookkeeping = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry'])

class Reader implements FormatReader {
  readonly #draft: SessionDraft
  readonly #leaveOut: SessionDraft['leaveOut']
  #last: string | null = null
  /** The first message that a compaction kept, by the request for it. */
  readonly #kept = new Map<string, string>()

  constructor(draft: SessionDraft) {
    this.#draft = draft
    this.#leaveOut = draft.leaveOut
  }

  read(document: JsonObject): void {
    const info = object(document['info']) ?? {}
    this.#draft.sourceId ??= text(info['id']) || undefined
    this.#draft.cwd ??= text(info['directory']) || undefined
    this.#draft.title = text(info['title']) || this.#draft.title
    const messages = objects(document['messages'])
    for (const message of messages)
      this.#readMessage(object(message['info']) ?? {}, objects(message['parts']))
    this.#goBack(text(object(info['revert'])?.['messageID']), messages)
  }

  end(): void {}

  #readMessage(info: JsonObject, parts: readonly JsonObject[]): void {
    const place = this.#place(info)
    switch (info['role']) {
      case 'user':
        this.#readPrompt(parts, place)
        return
      case 'assistant':
        if (info['summary'] === true) this.#readSummary(info, parts, place)
        else this.#readReply(info, parts, place)
        return
      default:
        this.#leaveOut(`messages of the role ${nameInFile(info['role'], 'none')}`)
        this.#draft.add({ type: 'link', ...place })
    }
  }

  /** Text that opencode added, such as the content of a file, comes before the user's words. */
  #readPrompt(parts: readonly JsonObject[], place: EntryPlace): void {
    const compaction = parts.find(({ type }) => type === 'compaction')
    if (compaction !== undefined) this.#kept.set(place.id, text(compaction['tail_start_id']))
    const added = parts.filter((part) => part['synthetic'] === true)
    const context = added.flatMap((part) => this.#shown(part))
    const said = parts.filter((part) => !added.includes(part)).flatMap((part) => this.#shown(part))
    const content = [...context, ...said]
    if (content.length === 0) this.#draft.add({ type: 'link', ...place })
    else this.#draft.add({ type: 'user', ...place, content, context: context.length })
  }

  #shown(part: JsonObject): readonly ContentBlock[] {
    switch (part['type']) {
      case 'text':
        if (part['ignored'] === true) this.#leaveOut('texts that were kept from the model')
        return part['ignored'] === true ? [] : [textBlock(text(part['text']))]
      case 'file':
        return this.#file(part)
      case 'subtask':
        return [textBlock(text(part['prompt']) || text(part['description']))]
      case 'compaction':
      case 'agent':
        // The request for a summary, and the name of an agent that stands in the text too.
        return []
      default:
        if (!bookkeeping.has(text(part['type'])))
          this.#leaveOut(`parts of the type ${nameInFile(part['type'], 'none')}`)
        return []
    }
  }

  /** Reads an image or document. The content of a text file is a text of its own. */
  #file(part: JsonObject): readonly ContentBlock[] {
    const isText = /^(text\/|application\/x-directory)/.test(text(part['mime']))
    return isText ? [] : [mediaBlockOf(text(part['url']), this.#leaveOut)]
  }

  #readSummary(info: JsonObject, parts: readonly JsonObject[], place: EntryPlace): void {
    const kept = this.#kept.get(text(info['parentID'])) || undefined
    const words = parts.flatMap((part) => (part['type'] === 'text' ? [text(part['text'])] : []))
    if (words.join('').trim() === '') {
      this.#leaveOut('compactions without a summary')
      this.#draft.add({ type: 'link', ...place })
    } else
      this.#draft.add({
        type: 'summary',
        ...place,
        text: words.join('\n\n'),
        ...omitUndefined({ keptFrom: kept }),
      })
  }

  #readReply(info: JsonObject, parts: readonly JsonObject[], place: EntryPlace): void {
    const error = text(object(info['error'])?.['name'])
    this.#draft.add({
      type: 'reply',
      ...place,
      replyId: place.id,
      content: parts.flatMap((part) => this.#spoken(part, text(info['providerID']))),
      ...omitUndefined({
        provider: text(info['providerID']) || undefined,
        model: text(info['modelID']) || undefined,
        usage: readUsage(object(info['tokens'])),
      }),
      ...(error === '' ? endingOf(text(info['finish']), stopReasons) : failed(error)),
    })
    for (const part of parts) {
      const result = part['type'] === 'tool' ? this.#result(part, place) : undefined
      if (result !== undefined) this.#draft.add(result)
    }
  }

  #spoken(part: JsonObject, provider: string): readonly ContentBlock[] {
    switch (part['type']) {
      case 'reasoning': {
        const signature = provider === 'anthropic' ? signatureOf(part) : undefined
        const thinking = text(part['text'])
        return thinking === '' && signature === undefined
          ? []
          : [{ type: 'thinking', thinking, ...omitUndefined({ signature }) }]
      }
      case 'tool':
        return [
          callBlock(callId(part), text(part['tool']) || 'unnamed', object(part['state'])?.['input'] ?? {}),
        ]
      default:
        return this.#shown(part)
    }
  }

  /** Returns the result of a call; `undefined` if it was cut off before it had one. A refused call is a failed one. */
  #result(part: JsonObject, place: EntryPlace): ResultEntry | undefined {
    const state = object(part['state']) ?? {}
    const isError = state['status'] === 'error'
    if (!isError && state['status'] !== 'completed') return undefined
    const files = objects(state['attachments']).flatMap((file) => this.#file(file))
    const content = [textBlock(text(isError ? state['error'] : state['output'])), ...files]
    const id = `${place.id}/${callId(part)}`
    return {
      type: 'result',
      id,
      parent: place.id,
      timestamp: place.timestamp,
      toolCallId: callId(part),
      content,
      isError,
    }
  }

  /** A session that was taken back goes on before the message that it names; what came after stays as a branch. */
  #goBack(id: string, messages: readonly JsonObject[]): void {
    const at = id === '' ? -1 : messages.findIndex((message) => object(message['info'])?.['id'] === id)
    if (at === -1) return
    const parent = text(object(messages[at - 1]?.['info'])?.['id']) || null
    this.#draft.add({ type: 'link', id: `before ${id}`, parent, timestamp: '' })
  }

  #place(info: JsonObject): EntryPlace {
    const id = text(info['id']) || `after ${this.#last ?? 'nothing'}`
    const ms = count(object(info['time'])?.['created']) ?? 0
    const place = { id, parent: this.#last, timestamp: isDate(ms) ? new Date(ms).toISOString() : '' }
    this.#last = id
    return place
  }
}

/** Returns why a reply broke off. */
function failed(error: string): Pick<ReplyEntry, 'stopReason' | 'rawStopReason'> {
  return { stopReason: stopReasons.get(error) ?? 'error', rawStopReason: error }
}

function isDate(ms: number): boolean {
  return ms > 0 && ms < 8.64e15
}

function callId(part: JsonObject): string {
  return text(part['callID']) || text(part['id'])
}

function signatureOf(part: JsonObject): string | undefined {
  return text(object(object(part['metadata'])?.['anthropic'])?.['signature']) || undefined
}

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['tool-calls', 'tool_use'],
  ['length', 'length'],
  ['content-filter', 'refusal'],
  ['MessageAbortedError', 'aborted'],
  ['MessageOutputLengthError', 'length'],
])

/** Cached and reasoning tokens are counted beside the others. */
function readUsage(raw: JsonObject | undefined): Usage | undefined {
  if (raw === undefined) return undefined
  const cache = object(raw['cache']) ?? {}
  const [cacheReadTokens, cacheWriteTokens] = [count(cache['read']) ?? 0, count(cache['write']) ?? 0]
  const reasoningTokens = count(raw['reasoning']) ?? 0
  return {
    inputTokens: (count(raw['input']) ?? 0) + cacheReadTokens + cacheWriteTokens,
    outputTokens: (count(raw['output']) ?? 0) + reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    raw,
  }
}
