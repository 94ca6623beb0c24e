import { localUser } from '../../actor.ts'
import {
  type AuditDecision,
  type AuditEntry,
  type AuditLog,
  type LogForm,
  systemContext,
  toLog,
} from '../../audit.ts'
import { type ModelChoice, modelName, type Turn } from '../../engine.ts'
import { unreachable } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { beforeFirst, type MessageId } from '../../id.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import {
  type AssistantMessage,
  contextLength,
  isCalledText,
  isElfReport,
  isHookMessage,
  type Message,
  type ToolResultMessage,
  textContent,
  toolCalls,
  type UserMessage,
} from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Verdict } from '../../permission.ts'
import {
  cost,
  describeAnswer,
  describeQuestion,
  describeVerdict,
  effects,
  tokens,
} from './audit-trail-facts.ts'

interface OpenCall {
  readonly tool: string
  /** Whether its arguments are valid. */
  readonly isWhole: boolean
  /** Whether it was started, and neither refused nor waiting for permission. */
  ran: boolean
  /** Whether it was permitted. A later verdict is about its result. */
  isPermitted?: true
  durationMs?: number
}

type TurnEnd = Pick<Turn, 'stopReason' | 'rounds'> & Partial<Pick<Turn, 'usage' | 'costUsd' | 'error'>>

/** A move to another message. Absent ids stand for the place before the first one. */
interface Move {
  readonly from: MessageId | undefined
  readonly to: MessageId | undefined
  readonly summary: UserMessage | undefined
}

type Entries = readonly AuditEntry[]

/** Writes one agent's messages, permissions and actions to the audit log, in order. */
export class AuditTrail {
  readonly #log: AuditLog
  readonly #agent: string
  /** The calls that have no result yet, by id. */
  readonly #calls = new Map<string, OpenCall>()
  /** Not yet recorded. */
  #systemPrompt: string | undefined
  /** The last reply in this round. */
  #reply: AssistantMessage | undefined

  /** `systemPrompt` is recorded before the first turn, if given. */
  constructor(log: AuditLog, agent: string, systemPrompt?: string) {
    this.#log = log
    this.#agent = agent
    this.#systemPrompt = systemPrompt
  }

  /** Throws the log's errors. */
  note(event: AgentFact): void {
    for (const entry of this.#eventEntries(event)) this.#log.append(entry)
    // Loads hashing now, while waiting for the model.
    if (event.type === 'round_start') this.#log.settle()
  }

  /** Records a verdict. A permission is on disk when it resolves. */
  async decided(callId: string, verdict: Verdict): Promise<void> {
    const { granted, response } = verdict
    const call = this.#calls.get(callId)
    if (call !== undefined && call.isPermitted !== true) call.ran = false
    this.#log.append({
      decision: granted ? 'permission_granted' : 'permission_denied',
      actor: response?.answeredBy ?? this.#agent,
      audit: { call_id: callId, ...omitUndefined({ tool: call?.tool }), ...describeVerdict(verdict) },
    })
    if (!granted) return
    await this.#log.sync()
    if (call !== undefined) Object.assign(call, { ran: true, isPermitted: true })
  }

  /** Takes up the calls of a reply that an earlier run has recorded. */
  resume(reply: AssistantMessage): void {
    this.#reply = reply
    for (const { id, name, argumentsRaw } of toolCalls(reply))
      this.#calls.set(id, { tool: name, isWhole: argumentsRaw === undefined, ran: false })
  }

  choseModel(choice: ModelChoice): void {
    const { thinking, reason } = choice
    const audit = { model: modelName(choice), ...omitUndefined({ thinking, reason }) }
    this.#log.append({ decision: 'model_set', actor: localUser, audit })
  }

  /** Records that the user went to another place in the conversation, and the summary of the branch that was left. */
  wentTo({ from = beforeFirst, to = beforeFirst, summary }: Move): void {
    const by = summary?.metadata?.['summarised_by']
    const told = omitUndefined({ summary: summary && textContent(summary), by })
    this.#log.append({ decision: 'head_set', actor: localUser, audit: { from, to, ...told } })
  }

  /** Writes the last entries of a turn, on disk when it resolves. */
  async end({ stopReason, rounds, usage, costUsd, error }: TurnEnd): Promise<void> {
    for (const [id, { tool, ran }] of this.#calls) {
      this.#log.append(this.#own(ran ? 'tool_interrupted' : 'tool_not_executed', { call_id: id, tool }))
    }
    this.#calls.clear()
    const failure = error && { ...error.details, code: error.code, message: error.message }
    const more = omitUndefined({ usage: usage && tokens(usage), cost_usd: cost(costUsd), error: failure })
    this.#log.append(this.#own('turn_ended', { stop_reason: stopReason, rounds, ...more }))
    await this.#log.sync()
  }

  #eventEntries(event: AgentFact): Entries {
    switch (event.type) {
      case 'turn_start': {
        const { message } = event
        return [...this.#promptEntries(), ...(message === undefined ? [] : this.#messageEntries(message))]
      }
      case 'message':
        return this.#messageEntries(event.message)
      case 'round_start':
        this.#reply = undefined
        return []
      case 'tool_start': {
        const call = this.#calls.get(event.callId)
        if (call !== undefined) call.ran = call.isWhole
        return []
      }
      case 'tool_end': {
        const call = this.#calls.get(event.callId)
        if (call !== undefined) call.durationMs = event.durationMs
        return []
      }
      case 'interaction_requested': {
        const isPermission = event.interaction.purpose === 'confirm_risky_action'
        const call = this.#calls.get(event.callId ?? '')
        if (call !== undefined && isPermission) call.ran = false
        const decision = isPermission ? 'permission_asked' : 'question_asked'
        const about = omitUndefined({ call_id: event.callId })
        return [this.#own(decision, { ...about, ...describeQuestion(event.interaction) })]
      }
      case 'interaction_responded': {
        const { response } = event
        const decision = response.cancelled === true ? 'question_cancelled' : 'question_answered'
        const about = omitUndefined({ call_id: event.callId })
        return [{ decision, actor: response.answeredBy, audit: { ...about, ...describeAnswer(response) } }]
      }
      case 'retry': {
        const { attempt, reason, waitMs, requestId } = event
        const audit = { attempt, reason, wait_ms: waitMs, ...omitUndefined({ request_id: requestId }) }
        return [this.#own('retry', audit)]
      }
      case 'fallback':
        return [this.#own('fallback', { from: event.from, to: event.to, reason: event.reason })]
      case 'compaction': {
        const { summary, by, tokensBefore, tokensAfter } = event
        const audit = {
          summary,
          ...omitUndefined({ by }),
          tokens_before: tokensBefore,
          tokens_after: tokensAfter,
        }
        return [this.#own('compaction', audit)]
      }
      case 'compaction_failed':
        return [this.#own('compaction_failed', { reason: event.reason })]
      case 'checkpoint':
        return [this.#own('checkpoint', { ...omitUndefined({ id: event.id }), notes: event.notes })]
      case 'round_end': {
        const { round, stopReason, rawStopReason, usage, costUsd } = event
        const more = omitUndefined({ raw_stop_reason: rawStopReason, cost_usd: cost(costUsd) })
        const audit = { round, ...this.#speaker(), stop_reason: stopReason, ...more, usage: tokens(usage) }
        return [this.#own('round_ended', audit)]
      }
      case 'elf_start': {
        const { callId, elfId, name, agent, model, sessionId } = event
        const about = { name, ...omitUndefined({ session_id: sessionId }), agent, model }
        return [this.#own('elf_started', { ...about, call_id: callId, elf_id: elfId })]
      }
      case 'elf_end': {
        const { elfId, name, stopReason, rounds, usage, costUsd, reason, sessionId, auditHead } = event
        const about = { name, ...omitUndefined({ session_id: sessionId, audit_head: auditHead }) }
        const audit = { ...about, stop_reason: stopReason, rounds, usage: tokens(usage), elf_id: elfId }
        return [this.#own('elf_ended', { ...audit, ...omitUndefined({ cost_usd: cost(costUsd), reason }) })]
      }
      default:
        // Messages hold the deltas, and results hold the output.
        return []
    }
  }

  #messageEntries(message: Message): Entries {
    switch (message.type) {
      case 'user':
        return this.#userEntries(message)
      case 'assistant':
        return this.#replyEntries(message)
      case 'tool_result':
        return this.#resultEntries(message)
      default:
        return unreachable(message)
    }
  }

  #promptEntries(): Entries {
    const prompt = this.#systemPrompt
    this.#systemPrompt = undefined
    if (prompt === undefined) return []
    return [{ ...this.#own('system_context', {}), message: systemContext(prompt) }]
  }

  /** Records a user's message without the context that the program added. */
  #userEntries(message: UserMessage): Entries {
    const context = contextLength(message)
    const said = { ...message, content: message.content.slice(context) }
    const audit = { context_blocks: context, media: countMedia(message) }
    return toLog(said).map((form) => ({
      decision: 'user_message',
      actor:
        isElfReport(message) || isHookMessage(message) || isCalledText(message) ? this.#agent : localUser,
      message: form,
      audit,
    }))
  }

  #replyEntries(message: AssistantMessage): Entries {
    this.resume(message)
    const speaker = this.#speaker()
    return toLog(message).map((form) => {
      const isCall = form.type === 'assistant_action'
      const audit = isCall ? { call_id: form.tool_id, tool: form.tool_name, ...speaker } : speaker
      return { decision: decisionOf(form), actor: this.#agent, message: form, audit }
    })
  }

  #resultEntries(message: ToolResultMessage): Entries {
    const { toolCallId, toolName, isError, details } = message
    const { ran = false, durationMs } = this.#calls.get(toolCallId) ?? {}
    this.#calls.delete(toolCallId)
    const audit = {
      call_id: toolCallId,
      tool: toolName,
      is_error: isError,
      ...(ran ? omitUndefined({ duration_ms: durationMs }) : {}),
      ...(isJsonObject(details) ? effects(details) : {}),
      media: countMedia(message),
    }
    const decision = ran ? 'tool_executed' : 'tool_not_executed'
    return toLog(message).map((form) => ({ decision, actor: this.#agent, message: form, audit }))
  }

  #speaker(): JsonObject {
    const { provider, model, responseId, requestId } = this.#reply ?? {}
    return omitUndefined({ provider, model, response_id: responseId, request_id: requestId })
  }

  #own(decision: AuditDecision, audit: JsonObject): AuditEntry {
    return { decision, actor: this.#agent, audit }
  }
}

function decisionOf({ type }: LogForm): AuditDecision {
  if (type === 'assistant_action') return 'tool_call_requested'
  return type === 'assistant_thinking' ? type : 'assistant_text'
}

function countMedia({ content }: Message): number {
  return content.filter(({ type }) => type === 'image' || type === 'document').length
}
