import { type PipeError, unreachable } from './error.ts'
import type { MessageId } from './id.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type Message, textContent } from './message.ts'

/** A message as an audit shows it: what was said apart from what was done. Field names are those on disk. */
export type LogForm =
  | { readonly type: 'user'; readonly id: MessageId; readonly content: string }
  | { readonly type: 'assistant_text'; readonly id: MessageId; readonly content: string }
  | {
      readonly type: 'assistant_action'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly tool_args: JsonValue
    }
  | {
      readonly type: 'tool_result'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly success: true
      readonly result: string
      readonly executed_at: string
    }
  | {
      readonly type: 'tool_error'
      readonly id: MessageId
      readonly tool_id: string
      readonly tool_name: string
      readonly success: false
      readonly error: string
      readonly executed_at: string
    }
  | { readonly type: 'system_context'; readonly content: string }

/** The log forms of one message, in order: an assistant's text and each of its actions are entries of their own. */
export function logForms(message: Message): readonly LogForm[] {
  const { id } = message
  switch (message.type) {
    case 'user':
      return [{ type: 'user', id, content: textContent(message) }]
    case 'assistant':
      return message.content.flatMap((block): LogForm[] => {
        if (block.type === 'text') return [{ type: 'assistant_text', id, content: block.text }]
        if (block.type !== 'tool_call') return []
        const args = block.argumentsRaw ?? block.arguments
        return [{ type: 'assistant_action', id, tool_id: block.id, tool_name: block.name, tool_args: args }]
      })
    case 'tool_result': {
      const call = {
        id,
        tool_id: message.toolCallId,
        tool_name: message.toolName,
        executed_at: message.timestamp,
      }
      const text = textContent(message)
      return message.isError
        ? [{ type: 'tool_error', ...call, success: false, error: text }]
        : [{ type: 'tool_result', ...call, success: true, result: text }]
    }
    default:
      return unreachable(message)
  }
}

/** The log form of the system prompt. */
export function systemContext(systemPrompt: string): LogForm {
  return { type: 'system_context', content: systemPrompt }
}

/** What happened or was decided. The words on disk. */
export const auditDecisions = [
  'user_message',
  'assistant_text',
  'tool_call_requested',
  'permission_asked',
  'permission_granted',
  'permission_denied',
  'question_asked',
  'question_answered',
  'question_cancelled',
  'tool_executed',
  // The call has a result, but nothing ran: it was refused, broken, or came too late.
  'tool_not_executed',
  // It is not known how far the call came.
  'tool_interrupted',
  'retry',
  'fallback',
  'compaction',
  'checkpoint',
  'round_ended',
  'turn_ended',
  'model_set',
  'mode_set',
  'trust_granted',
  'trust_denied',
  // What was said of a folder before is forgotten.
  'trust_removed',
  'feedback',
  // A line that was cut by a crash was put aside.
  'log_repaired',
] as const

export type AuditDecision = (typeof auditDecisions)[number]

/** One thing to be kept. Texts may be of any length and hold secrets: the log redacts and cuts them. */
export interface AuditEntry {
  readonly decision: AuditDecision
  /** Who acted: an actor's id. */
  readonly actor: string
  /** What was said or asked for, where the entry is the first about it. */
  readonly message?: LogForm
  /** The facts: who allowed it by which rule, how long it took, what it changed. Field names are those on disk. */
  readonly audit: JsonObject
}

/** The record of one session, which proves afterwards what happened. Nothing in it is ever changed. */
export interface AuditLog {
  /** The reason why entries wait in memory: the disk is full. `undefined`: none waits for that. */
  readonly unsaved: PipeError | undefined
  /** Written by the next `sync`, or soon after the next `settle`, chained to the entry before. O(entry). */
  append(entry: AuditEntry): void
  /** Something is waited for now: a good moment to write what was appended. Throws as `sync` does where the last such moment could not. */
  settle(): void
  /**
   * Returns when all that was appended is on the disk. Throws `permission`, `invalid` (a full disk too), `internal` with the system's
   * reason; what could not be written is kept, and the next call begins with it.
   */
  sync(): Promise<void>
  /** Syncs and closes; may be called repeatedly. Throws `storage` if a full disk loses entries. */
  close(): Promise<void>
}
