import { beforeFirst } from '../id.ts'
import { type JsonObject, type JsonValue, textField } from '../json-value.ts'
import {
  type AssistantMessage,
  contextLength,
  isLoopMessage,
  type Message,
  textContent,
  toolCalls,
  type UserMessage,
} from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type ClaudeToolWords, claudeBlock } from './claude-words.ts'
import { replyLines, toolResultLine } from './reply-lines.ts'

export interface ClaudeTranscriptOptions {
  readonly words: ClaudeToolWords
  /** Creates UUIDs. */
  readonly newId: () => string
  /** The fields of every line about the session. */
  readonly facts: JsonObject
}

/** Writes the messages of a session as the lines of Claude Code's own files, which are linked by `parentUuid`. */
export class ClaudeTranscript {
  readonly #options: ClaudeTranscriptOptions
  /** The arguments of calls without a result, in Claude's words. */
  readonly #inputs = new Map<string, JsonValue>()
  #last: string | null = null

  constructor(options: ClaudeTranscriptOptions) {
    this.#options = options
  }

  /** Returns the lines of the next message. */
  linesOf(message: Message): readonly JsonObject[] {
    const { parentId } = message
    if (parentId !== undefined) this.#last = parentId === beforeFirst ? null : parentId
    return this.#said(message).map((line) => this.#linked(line))
  }

  #said(message: Message): readonly JsonObject[] {
    switch (message.type) {
      case 'user':
        return [this.#prompt(message)]
      case 'assistant':
        return this.#reply(message)
      case 'tool_result': {
        const { words } = this.#options
        const input = this.#inputs.get(message.toolCallId) ?? {}
        this.#inputs.delete(message.toolCallId)
        const keepsBlocks = message.toolName.startsWith('mcp__')
        return [toolResultLine(message, { parent: null, words, input, keepsBlocks })]
      }
    }
  }

  #prompt(message: UserMessage): JsonObject {
    const { id, timestamp, metadata } = message
    const said = message.content.slice(contextLength(message))
    const isText = said.every(({ type }) => type === 'text')
    const content = isText
      ? textContent({ content: said })
      : said.map((block) => claudeBlock(block, this.#options.words))
    const isSummary = metadata?.['compacted_through'] !== undefined
    return {
      type: 'user',
      message: { role: 'user', content },
      ...(isSummary ? { isCompactSummary: true } : isLoopMessage(message) && { isMeta: true }),
      timestamp,
      uuid: id,
    }
  }

  #reply(message: AssistantMessage): readonly JsonObject[] {
    const { words, newId } = this.#options
    for (const { id, name, arguments: args } of toolCalls(message))
      this.#inputs.set(id, words.call(name, args).input)
    const model = [message.provider ?? [], message.model ?? []].flat().join('/')
    const speaker = { model, replyId: `msg_${message.id.replaceAll('-', '')}`, parent: null }
    const { requestId } = message
    return replyLines(message, { speaker, words, newId }).map((line) => ({
      ...line,
      ...omitUndefined({ requestId }),
    }))
  }

  /** Places a line behind the one before it, with the fields that a file has in place of those of a stream. */
  #linked({ parent_tool_use_id: _, tool_use_result: toolUseResult, ...line }: JsonObject): JsonObject {
    const linked: JsonObject = {
      parentUuid: this.#last,
      isSidechain: false,
      userType: 'external',
      ...this.#options.facts,
      ...line,
      ...omitUndefined({ toolUseResult }),
    }
    this.#last = textField(linked, 'uuid') ?? this.#last
    return linked
  }
}
