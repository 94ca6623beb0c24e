import { type AuditDecision, type AuditEntry, type AuditLog, localUser, logForms } from '../audit.ts'
import { type ModelChoice, modelName, type Turn } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { isJsonObject } from '../json-value.ts'
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../message.ts'
import type { Verdict } from '../permission.ts'
import { present } from '../present.ts'
import type { Usage } from '../usage.ts'
import { contextLength } from './mark.ts'
import type { Said } from './round.ts'
import { describeAnswer, describeQuestion } from './trail-question.ts'

interface OpenCall {
  readonly tool: string
  /** Whether its arguments could be read. */
  readonly isWhole: boolean
  /** Whether it was begun and not refused. */
  ran: boolean
  durationMs?: number
}

/** Writes what one agent says, is allowed and does to the audit log, in the order in which it happens. */
export class Trail {
  readonly #log: AuditLog
  readonly #agent: string
  /** The calls that have no result yet, by id. */
  readonly #calls = new Map<string, OpenCall>()
  /** Who spoke in this round. */
  #reply: AssistantMessage | undefined
  /** Whether the first act of this round has its decision on the disk. */
  #isSynced = false

  constructor(log: AuditLog, agent: string) {
    this.#log = log
    this.#agent = agent
  }

  /** Throws what the log throws. */
  note(event: Said): void {
    switch (event.type) {
      case 'turn_start':
        return this.#say(event.message)
      case 'message':
        return this.#say(event.message)
      case 'round_start':
        this.#isSynced = false
        this.#reply = undefined
        return
      case 'tool_start': {
        const call = this.#calls.get(event.callId)
        if (call !== undefined) call.ran = call.isWhole
        return
      }
      case 'tool_end': {
        const call = this.#calls.get(event.callId)
        if (call !== undefined) call.durationMs = event.durationMs
        return
      }
      case 'interaction_requested': {
        const isPermission = event.interaction.purpose === 'confirm_risky_action'
        return this.#write(
          isPermission ? 'permission_asked' : 'question_asked',
          describeQuestion(event.interaction),
        )
      }
      case 'interaction_responded': {
        const decision = event.response.cancelled === true ? 'question_cancelled' : 'question_answered'
        return this.#append({
          decision,
          actor: event.response.answeredBy,
          audit: describeAnswer(event.response),
        })
      }
      case 'retry':
        return this.#write('retry', { attempt: event.attempt, reason: event.reason, wait_ms: event.waitMs })
      case 'fallback':
        return this.#write('fallback', { from: event.from, to: event.to, reason: event.reason })
      case 'compaction': {
        const { summary, tokensBefore, tokensAfter } = event
        return this.#write('compaction', { summary, tokens_before: tokensBefore, tokens_after: tokensAfter })
      }
      case 'checkpoint':
        return this.#write('checkpoint', { ...present({ id: event.id }), notes: event.notes })
      case 'round_end': {
        const { round, stopReason, rawStopReason, usage, costUsd } = event
        return this.#write('round_ended', {
          round,
          ...this.#speaker(),
          stop_reason: stopReason,
          ...present({ raw_stop_reason: rawStopReason, cost_usd: costUsd }),
          usage: tokens(usage),
        })
      }
      default:
        // Deltas are in the message that they come to, output is in its result.
        return
    }
  }

  /** On the disk when it resolves, if it is the first permission of a round; the others follow at the next such point. */
  async decided(callId: string, { granted, decision, response }: Verdict): Promise<void> {
    const call = this.#calls.get(callId)
    if (call !== undefined && !granted) call.ran = false
    const { behavior, source, rule, reason, confined } = decision
    this.#append({
      decision: granted ? 'permission_granted' : 'permission_denied',
      actor: response?.answeredBy ?? this.#agent,
      audit: {
        call_id: callId,
        ...present({ tool: call?.tool }),
        by: response === undefined ? judges[source] : 'person',
        judged: behavior,
        source,
        ...present({ rule, confined }),
        reason,
        ...(response === undefined ? {} : describeAnswer(response)),
      },
    })
    if (!granted || this.#isSynced) return
    await this.#log.sync()
    this.#isSynced = true
  }

  chose(choice: ModelChoice): void {
    const audit = { model: modelName(choice), ...present({ thinking: choice.thinking }) }
    this.#append({ decision: 'model_set', actor: localUser, audit })
  }

  /** The last entries of a turn, on the disk when it resolves. */
  async end({ stopReason, rounds, usage, costUsd, error }: Omit<Turn, 'messages'>): Promise<void> {
    for (const [id, { tool, ran }] of this.#calls) {
      this.#write(ran ? 'tool_interrupted' : 'tool_not_executed', { call_id: id, tool })
    }
    this.#calls.clear()
    const failure = error && { code: error.code, message: error.message, ...error.details }
    this.#write('turn_ended', {
      stop_reason: stopReason,
      rounds,
      usage: tokens(usage),
      ...present({ cost_usd: costUsd, error: failure }),
    })
    await this.#log.sync()
  }

  #say(message: Message): void {
    switch (message.type) {
      case 'user':
        return this.#askedBy(message)
      case 'assistant':
        return this.#replied(message)
      case 'tool_result':
        return this.#gave(message)
    }
  }

  /** What the person said, without what the program put in front of it. */
  #askedBy(message: UserMessage): void {
    const context = contextLength(message)
    for (const form of logForms({ ...message, content: message.content.slice(context) })) {
      this.#append({
        decision: 'user_message',
        actor: localUser,
        message: form,
        audit: { context_blocks: context, media: countMedia(message) },
      })
    }
  }

  #replied(message: AssistantMessage): void {
    this.#reply = message
    for (const { id, name, argumentsRaw } of message.content.filter((block) => block.type === 'tool_call')) {
      this.#calls.set(id, { tool: name, isWhole: argumentsRaw === undefined, ran: false })
    }
    for (const form of logForms(message)) {
      if (form.type === 'assistant_text') {
        this.#append({
          decision: 'assistant_text',
          actor: this.#agent,
          message: form,
          audit: this.#speaker(),
        })
      } else if (form.type === 'assistant_action') {
        const audit = { call_id: form.tool_id, tool: form.tool_name, ...this.#speaker() }
        this.#append({ decision: 'tool_call_requested', actor: this.#agent, message: form, audit })
      }
    }
  }

  #gave(message: ToolResultMessage): void {
    const { toolCallId, toolName, isError, details } = message
    const { ran = false, durationMs } = this.#calls.get(toolCallId) ?? {}
    this.#calls.delete(toolCallId)
    for (const form of logForms(message)) {
      this.#append({
        decision: ran ? 'tool_executed' : 'tool_not_executed',
        actor: this.#agent,
        message: form,
        audit: {
          call_id: toolCallId,
          tool: toolName,
          is_error: isError,
          ...(ran ? present({ duration_ms: durationMs }) : {}),
          ...(isJsonObject(details) ? effects(details) : {}),
          media: countMedia(message),
        },
      })
    }
  }

  #speaker(): JsonObject {
    const { provider, model, responseId, metadata } = this.#reply ?? {}
    return present({ provider, model, response_id: responseId, request_id: metadata?.['request_id'] })
  }

  #write(decision: AuditDecision, audit: JsonObject): void {
    this.#append({ decision, actor: this.#agent, audit })
  }

  #append(entry: AuditEntry): void {
    this.#log.append(entry)
  }
}

/** Who allows or forbids where nobody was asked; a mode is a consent that a person gave beforehand. */
const judges: Readonly<Record<Verdict['decision']['source'], string>> = {
  builtin: 'builtin',
  capability: 'builtin',
  mode: 'mode',
  user: 'rule',
  project: 'rule',
  session: 'rule',
}

function tokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...present({ cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens }),
  }
}

function countMedia({ content }: Message): number {
  return content.filter(({ type }) => type === 'image' || type === 'document').length
}

/** What a result's details say of what it did. A diff is not repeated: the hashes name what was there and is. */
const told = ['exit_code', 'signal', 'timed_out', 'process', 'pid', 'spill', 'url', 'status']

function effects(details: JsonObject): JsonObject {
  const kept = Object.entries(details).filter(([name]) => told.includes(name))
  const { path, before, after } = details
  const files: JsonValue = [{ path: path ?? null, before: before ?? null, after: after ?? null }]
  return { ...Object.fromEntries(kept), ...(after === undefined ? {} : { files }) }
}
