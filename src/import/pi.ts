import type { JsonObject, JsonValue } from '../json-value.ts'
import type { ContentBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { StopReason, Usage } from '../usage.ts'
import { count, object, objects, text } from '../wire/json-fields.ts'
import type { Format, FormatReader } from './agent-format.ts'
import type { EntryPlace, ReplyEntry } from './import-entry.ts'
import { nameInFile, unknownBlocks } from './left-out.ts'
import { callBlock, endingOf, mediaBlock, textBlock } from './media-blocks.ts'
import type { SessionDraft } from './session-draft.ts'

/** Sessions of pi: a header, then a tree of entries, linked by `parentId`; in the first version a sequence without ids. */
export const pi: Format = {
  agent: 'pi',
  recognises: (line) =>
    (line['type'] === 'session' && text(line['id']) !== '') ||
    (line['type'] === 'message' && text(object(line['message'])?.['role']) !== ''),
  open: (draft) => new Reader(draft),
}

class Reader implements FormatReader {
  readonly #draft: SessionDraft
  readonly #leaveOut: SessionDraft['leaveOut']
  /** The ids of all lines, as the first version names an entry by its position. */
  readonly #ids: string[] = []

  constructor(draft: SessionDraft) {
    this.#draft = draft
    this.#leaveOut = draft.leaveOut
  }

  read(line: JsonObject): void {
    const before = this.#ids.at(-1) ?? null
    const id = text(line['id']) || `line ${this.#ids.length}`
    this.#ids.push(id)
    if (line['type'] === 'session') {
      this.#readHeader(line)
      return
    }
    const isLinked = line['parentId'] !== undefined
    const parent = isLinked ? text(line['parentId']) || null : before
    this.#readEntry(line, { id, parent, timestamp: text(line['timestamp']) })
  }

  end(): void {}

  #readHeader(header: JsonObject): void {
    this.#draft.sourceId ??= text(header['id']) || undefined
    this.#draft.cwd ??= text(header['cwd']) || undefined
  }

  #readEntry(line: JsonObject, place: EntryPlace): void {
    const type = text(line['type'])
    switch (type) {
      case 'message':
        this.#readMessage(object(line['message']) ?? {}, place)
        return
      case 'custom_message':
        this.#draft.add({ type: 'user', ...place, content: this.#shown(line['content']) })
        return
      case 'compaction':
        this.#draft.add({ type: 'summary', ...place, text: text(line['summary']), ...this.#keptFrom(line) })
        return
      case 'branch_summary':
        this.#addUser(`[Summary of a branch that was left]\n\n${text(line['summary'])}`, place)
        return
      case 'session_info':
        this.#draft.title = text(line['name']) || this.#draft.title
        this.#draft.add({ type: 'link', ...place })
        return
      case 'model_change':
      case 'thinking_level_change':
        // The replies name their model; the level is chosen anew.
        this.#draft.add({ type: 'link', ...place })
        return
      default:
        this.#leaveOut(`${nameInFile(type, 'untyped')} entries`)
        this.#draft.add({ type: 'link', ...place })
    }
  }

  #keptFrom({ firstKeptEntryId, firstKeptEntryIndex }: JsonObject): { readonly keptFrom?: string } {
    const keptFrom = text(firstKeptEntryId) || this.#ids[count(firstKeptEntryIndex) ?? -1]
    return keptFrom === undefined ? {} : { keptFrom }
  }

  #readMessage(message: JsonObject, place: EntryPlace): void {
    const role = text(message['role'])
    switch (role) {
      case 'user':
      case 'custom':
      case 'hookMessage':
        this.#draft.add({ type: 'user', ...place, content: this.#shown(message['content']) })
        return
      case 'assistant':
        this.#draft.add(this.#reply(message, place))
        return
      case 'toolResult':
        this.#draft.add({
          type: 'result',
          ...place,
          toolCallId: text(message['toolCallId']),
          content: this.#shown(message['content']),
          isError: message['isError'] === true,
        })
        return
      case 'bashExecution':
        this.#readShell(message, place)
        return
      case 'system':
        this.#leaveOut('instructions of the agent')
        this.#draft.add({ type: 'link', ...place })
        return
      default:
        this.#leaveOut(`messages of the role ${nameInFile(role, 'none')}`)
        this.#draft.add({ type: 'link', ...place })
    }
  }

  /** A command that the user ran with `!`. With `!!` its output is kept from the model. */
  #readShell(message: JsonObject, place: EntryPlace): void {
    if (message['excludeFromContext'] === true) {
      this.#leaveOut('commands that were kept from the model (!!)')
      this.#draft.add({ type: 'link', ...place })
    } else this.#addUser(`! ${text(message['command'])}\n${text(message['output'])}`.trimEnd(), place)
  }

  #addUser(words: string, place: EntryPlace): void {
    this.#draft.add({ type: 'user', ...place, content: [textBlock(words)] })
  }

  #reply(message: JsonObject, place: EntryPlace): ReplyEntry {
    const provider = text(message['provider'])
    const usage = object(message['usage'])
    return {
      type: 'reply',
      ...place,
      replyId: place.id,
      content: objects(message['content']).flatMap((block) => this.#spoken(block, provider)),
      ...omitUndefined({
        provider: provider || undefined,
        model: text(message['model']) || undefined,
        usage: usage && readUsage(usage),
      }),
      ...endingOf(text(message['stopReason']), stopReasons),
    }
  }

  #spoken(block: JsonObject, provider: string): readonly ContentBlock[] {
    switch (block['type']) {
      case 'text':
        return [textBlock(text(block['text']))]
      case 'thinking':
        return this.#thinking(block, provider)
      case 'toolCall':
        return [callBlock(text(block['id']), text(block['name']) || 'unnamed', block['arguments'] ?? {})]
      default:
        this.#leaveOut(unknownBlocks(block))
        return []
    }
  }

  /** Only the signatures of Anthropic's models have the form in which pipe sends them back. */
  #thinking(block: JsonObject, provider: string): readonly ContentBlock[] {
    const signature = text(block['thinkingSignature'])
    const thinking = text(block['thinking'])
    if (signature !== '' && provider === 'anthropic')
      return [
        { type: 'thinking', thinking, signature, ...(block['redacted'] === true ? { redacted: true } : {}) },
      ]
    if (signature !== '') this.#leaveOut('signatures of thoughts')
    return thinking === '' ? [] : [{ type: 'thinking', thinking }]
  }

  #shown(content: JsonValue | undefined): readonly ContentBlock[] {
    if (typeof content === 'string') return [textBlock(content)]
    return objects(content).flatMap((block): ContentBlock[] => {
      if (block['type'] === 'text') return [textBlock(text(block['text']))]
      if (block['type'] === 'image') return [mediaBlock(text(block['data']), this.#leaveOut)]
      this.#leaveOut(unknownBlocks(block))
      return []
    })
  }
}

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['length', 'length'],
  ['toolUse', 'tool_use'],
  ['error', 'error'],
  ['aborted', 'aborted'],
])

/** Cached tokens are counted beside the input. */
function readUsage(raw: JsonObject): Usage {
  const cacheReadTokens = count(raw['cacheRead']) ?? 0
  const cacheWriteTokens = count(raw['cacheWrite']) ?? 0
  return {
    inputTokens: (count(raw['input']) ?? 0) + cacheReadTokens + cacheWriteTokens,
    outputTokens: count(raw['output']) ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
    raw,
  }
}
