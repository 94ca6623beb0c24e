import type { AgentEvent } from '../event.ts'
import type { AgentId } from '../id.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../message.ts'
import { spokenText } from '../message.ts'
import { maxTries } from '../reply/backoff.ts'
import type { ClaudeToolWords } from './claude-words.ts'
import { PartialMessages } from './partial-message.ts'
import { type ReplyAuthor, replyLines, toolResultLine } from './reply-lines.ts'
import { ReplyTime } from './reply-time.ts'
import { type EndedTurn, resultLine, type TurnOutcome } from './result-line.ts'
import { SpendingByModel } from './spending.ts'

export interface ClaudeLinesOptions {
  /** Takes a line. */
  readonly write: (line: JsonObject) => void
  /** Creates UUIDs. */
  readonly newId: () => string
  readonly words: ClaudeToolWords
  /** Describes the conversation as it is now: model, mode, tools, servers, commands. */
  readonly facts: () => JsonObject
  /** The version of pipe. */
  readonly version: string
  /** Returns the context size of a model, if it is known. */
  readonly windowOf: (model: string) => number | undefined
  /** Reads a monotonic clock, in milliseconds. */
  readonly monotonic: () => number
  /** Writes the pieces of replies too. */
  readonly hasPieces: boolean
  /** Writes the messages of the user too. */
  readonly repeatsUser: boolean
  /** Returns the program's own id of a message of the user. */
  readonly givenId?: (message: UserMessage) => string | undefined
}

/** Writes what happens in a conversation as the lines of Claude Code. */
export class ClaudeLines {
  readonly #options: ClaudeLinesOptions
  readonly #pieces: PartialMessages
  readonly #spending = new SpendingByModel()
  readonly #replyTime: ReplyTime
  readonly #speakers = new Map<AgentId, ReplyAuthor>()
  /** The arguments of calls without a result, in Claude's words. */
  readonly #inputs = new Map<string, JsonValue>()
  #session = ''

  constructor(options: ClaudeLinesOptions) {
    this.#options = options
    this.#pieces = new PartialMessages(options.words)
    this.#replyTime = new ReplyTime(options.monotonic)
  }

  begin({ sessionId }: { readonly sessionId: string | undefined }): void {
    this.#session = sessionId ?? this.#options.newId()
  }

  event(event: AgentEvent): void {
    const speaker = this.#speakerOf(event.agentId, null)
    if (event.type === 'turn_start') this.#writeInit()
    if (event.type === 'elf_start') this.#speakerOf(event.elfId, event.callId)
    this.#see(event, speaker)
    this.#replyTime.see(event)
    if (event.type === 'turn_start' && event.message !== undefined) this.#repeat(event.message, speaker)
    if (event.type === 'compaction') this.#write(compactionLine(event))
    if (event.type === 'retry' && event.attempt > 0) this.#write(retryLine(event))
    if (this.#options.hasPieces) {
      const about = { id: speaker.replyId, model: speaker.model }
      for (const piece of this.#pieces.see(event, about)) this.#writePiece(piece)
    }
  }

  elfEvent(event: AgentEvent): void {
    this.#see(event, this.#speakerOf(event.agentId, null))
  }

  end(turn: EndedTurn, outcome: TurnOutcome, json: JsonObject): void {
    const { words, windowOf } = this.#options
    if (this.#session === '') this.#session = this.#options.newId()
    if (turn.rounds === 0 && outcome.error === undefined) this.#sayReport(json['result'])
    this.#write({
      ...resultLine(turn, outcome, { json, words, replyMs: this.#replyTime.take() }),
      total_cost_usd: this.#spending.costUsd,
      modelUsage: this.#spending.toJson(windowOf),
    })
  }

  /** Writes an answer of pipe itself, which has no turn. */
  #sayReport(content: JsonValue = ''): void {
    if (content === '') return
    this.#writeInit()
    this.#write({ type: 'system', subtype: 'local_command_output', content })
  }

  #see(event: AgentEvent, speaker: ReplyAuthor): void {
    switch (event.type) {
      case 'round_start':
        speaker.model = `${event.provider}/${event.model}`
        speaker.replyId = this.#newReplyId()
        return
      case 'retry':
      case 'fallback':
        speaker.replyId = this.#newReplyId()
        if (event.type === 'fallback') speaker.model = event.to
        return
      case 'round_end':
        this.#spending.add(speaker.model, event.usage, event.costUsd)
        return
      case 'message':
        this.#say(event.message, speaker)
        return
      default:
    }
  }

  #say(message: AssistantMessage | ToolResultMessage | UserMessage, speaker: ReplyAuthor): void {
    switch (message.type) {
      case 'assistant':
        if (this.#options.hasPieces && speaker.parent === null)
          for (const piece of this.#pieces.end(message)) this.#writePiece(piece)
        this.#sayReply(message, speaker)
        return
      case 'tool_result':
        this.#sayResult(message, speaker)
        return
      case 'user':
        this.#repeat(message, speaker)
    }
  }

  #sayReply(message: AssistantMessage, speaker: ReplyAuthor): void {
    const { words, newId } = this.#options
    for (const block of message.content)
      if (block.type === 'tool_call')
        this.#inputs.set(block.id, words.call(block.name, block.arguments).input)
    for (const line of replyLines(message, { speaker, words, newId })) this.#write(line)
  }

  #sayResult(message: ToolResultMessage, { parent }: ReplyAuthor): void {
    const { toolCallId, toolName } = message
    const input = this.#inputs.get(toolCallId) ?? {}
    this.#inputs.delete(toolCallId)
    const isAgents = [...this.#speakers.values()].some((one) => one.parent === toolCallId)
    const keepsBlocks = isAgents || toolName.startsWith('mcp__')
    this.#write(toolResultLine(message, { parent, words: this.#options.words, input, keepsBlocks }))
  }

  /** Writes a message that the user sent. Those of elves are the words of a call. */
  #repeat(message: UserMessage, { parent }: ReplyAuthor): void {
    const { repeatsUser, givenId } = this.#options
    if (!repeatsUser || parent !== null) return
    this.#write({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: spokenText(message) }] },
      parent_tool_use_id: null,
      isReplay: true,
      uuid: givenId?.(message) ?? message.id,
    })
  }

  #writeInit(): void {
    const { facts, version } = this.#options
    this.#write({ type: 'system', subtype: 'init', ...facts(), claude_code_version: version })
  }

  #writePiece(event: JsonObject): void {
    this.#write({ type: 'stream_event', event, parent_tool_use_id: null })
  }

  #write(line: JsonObject): void {
    const { write, newId } = this.#options
    write({ ...line, session_id: this.#session, uuid: line['uuid'] ?? newId() })
  }

  #newReplyId(): string {
    return `msg_${this.#options.newId().replaceAll('-', '')}`
  }

  #speakerOf(id: AgentId, parent: string | null): ReplyAuthor {
    const known = this.#speakers.get(id)
    if (known !== undefined) return known
    const speaker = { model: '', replyId: '', parent }
    this.#speakers.set(id, speaker)
    return speaker
  }
}

function compactionLine({
  trigger,
  tokensBefore,
  tokensAfter,
}: Extract<AgentEvent, { readonly type: 'compaction' }>): JsonObject {
  return {
    type: 'system',
    subtype: 'compact_boundary',
    compact_metadata: { trigger, pre_tokens: tokensBefore, post_tokens: tokensAfter },
  }
}

function retryLine({ attempt, waitMs, status }: Extract<AgentEvent, { readonly type: 'retry' }>): JsonObject {
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxTries - 1,
    retry_delay_ms: Math.round(waitMs),
    error_status: status ?? null,
    error: failureWord(status),
  }
}

/** Returns Claude Code's word for a failure that may pass. */
function failureWord(status = 0): string {
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 500 ? 'server_error' : 'unknown'
}
