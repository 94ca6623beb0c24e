import type { ActorId } from './actor.ts'
import { type PipeError, unreachable } from './error.ts'
import type { MessageId } from './id.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type Message, textContent } from './message.ts'

/** A message in the audit log, with text apart from actions. Field names are those on disk. */
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
  | { readonly type: 'assistant_thinking'; readonly id: MessageId; readonly content: string }
  | { readonly type: 'system_context'; readonly content: string }

/** Returns the log forms of a message, in order. An assistant's texts, thoughts and actions are separate entries. */
export function toLog(message: Message): readonly LogForm[] {
  const { id } = message
  switch (message.type) {
    case 'user':
      return [{ type: 'user', id, content: textContent(message) }]
    case 'assistant':
      return message.content.flatMap((block): LogForm[] => {
        if (block.type === 'text') return [{ type: 'assistant_text', id, content: block.text }]
        if (block.type === 'thinking' && block.thinking !== '')
          return [{ type: 'assistant_thinking', id, content: block.thinking }]
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

/** Returns the log form of the system prompt. */
export function systemContext(systemPrompt: string): LogForm {
  return { type: 'system_context', content: systemPrompt }
}

/** Events and decisions. The words on disk. */
export const auditDecisions = [
  // The system prompt, once a session and when it changes.
  'system_context',
  'user_message',
  'assistant_text',
  'assistant_thinking',
  'tool_call_requested',
  'permission_asked',
  'permission_granted',
  'permission_denied',
  'question_asked',
  'question_answered',
  'question_cancelled',
  'tool_executed',
  // The call has a result, but did not run: it was refused, invalid or too late.
  'tool_not_executed',
  // It is unknown how far the call ran.
  'tool_interrupted',
  'retry',
  'fallback',
  'compaction',
  // A commanded summary was not made.
  'compaction_failed',
  'checkpoint',
  // The elf has an audit log of its own, `session_id`; its last hash at the end is `audit_head`.
  'elf_started',
  'elf_ended',
  'round_ended',
  'turn_ended',
  'model_set',
  // The user went to another message, `to`, so the branch up to `from` was left.
  'head_set',
  'mode_set',
  'trust_granted',
  'trust_denied',
  // An earlier decision on a folder was deleted.
  'trust_removed',
  // A program of the user's settings or of an approved project ran, and what it answered.
  'hook_ran',
  'feedback',
  // A line cut by a crash was moved aside.
  'log_repaired',
] as const

export type AuditDecision = (typeof auditDecisions)[number]

/** One audit entry. Texts may be of any length and hold secrets: the log redacts and cuts them. */
export interface AuditEntry {
  readonly decision: AuditDecision
  readonly actor: ActorId
  /** The message or call, if this entry is the first about it. */
  readonly message?: LogForm
  /** Facts, such as who allowed the call by which rule, how long it took and what it changed. Field names are those on disk. */
  readonly audit: JsonObject
}

/** Append-only record of one session. */
export interface AuditLog {
  /** The disk error that keeps entries in memory; `undefined` if none wait. */
  readonly unsaved: PipeError | undefined
  /** The hash of the last line that was written; `undefined` if none was. */
  readonly head: string | undefined
  /** Queues an entry, chained to the one before. The next `sync` writes it, or the next `settle` soon after. O(entry). */
  append(entry: AuditEntry): void
  /** Starts writing queued entries while the program waits for something. Throws like `sync` if the last such write failed. */
  settle(): void
  /**
   * Resolves when all entries are on disk. Throws `permission`, `invalid` (also for a full disk), `internal` with the system's
   * reason. Entries not written are kept, and the next call starts with them.
   */
  sync(): Promise<void>
  /** Syncs and closes; may be called repeatedly. Throws `storage` if a full disk loses entries. */
  close(): Promise<void>
}
