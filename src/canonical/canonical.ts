import type { AgentState } from '../engine.ts'
import { PipeError } from '../error.ts'
import { isMessageId, type MessageId } from '../id.ts'
import { isJsonObject } from '../json-value.ts'
import { type Message, timestampFault } from '../message.ts'
import { noUsage, type Usage } from '../usage.ts'

/** Roles of a participant. */
export const roles = ['user', 'assistant', 'system'] as const

export type Role = (typeof roles)[number]

/** A message in the form that programs exchange: a text and who said it. */
export interface CanonicalMessage {
  /** Any UUID, in lower case. */
  readonly id: MessageId
  readonly role: Role
  /** Not blank. */
  readonly content: string
  /** ISO 8601, at most an hour in the future and 100 years in the past. */
  readonly timestamp: string
  /** Absent: none. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** The facts of a new message that its maker need not give. */
export interface CanonicalFacts {
  readonly id: MessageId
  readonly timestamp: string
  readonly metadata?: Readonly<Record<string, string>>
}

/** Makes a message. Does not validate it. */
export function createCanonicalMessage(
  role: Role,
  content: string,
  { id, timestamp, metadata = {} }: CanonicalFacts,
): CanonicalMessage {
  return { id, role, content, timestamp, metadata }
}

/** A part of a message that breaks a rule; `message` if it is no message at all. */
export interface CanonicalFault {
  readonly field: 'message' | 'id' | 'role' | 'content' | 'timestamp' | 'metadata'
  readonly reason: string
}

/** Returns the first rule that a message breaks, if any. Takes one of any program. `now` is milliseconds since 1970. */
export function canonicalFault(message: unknown, now: number): CanonicalFault | undefined {
  if (!isJsonObject(message)) return { field: 'message', reason: 'Must be an object' }
  const { id, role, content, timestamp, metadata = {} } = message
  if (typeof id !== 'string' || !isMessageId(id)) return { field: 'id', reason: 'Must be a valid UUID' }
  if (!roles.some((one) => one === role))
    return { field: 'role', reason: `Must be one of ${roles.join(', ')}` }
  if (typeof content !== 'string') return { field: 'content', reason: 'Must be a string' }
  if (isEmptyMessage({ content })) return { field: 'content', reason: 'Cannot be empty' }
  const time = timestampFault(String(timestamp), now)
  if (time !== undefined) return { field: 'timestamp', reason: time }
  if (!isJsonObject(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    return { field: 'metadata', reason: 'Values must be strings' }
  return undefined
}

/** Throws `invalid` with `details.field` and `details.reason` for a message that breaks a rule. */
export function checkCanonicalMessage(message: unknown, now: number): asserts message is CanonicalMessage {
  const fault = canonicalFault(message, now)
  if (fault === undefined) return
  throw new PipeError('invalid', `invalid message: ${fault.field}: ${fault.reason}`, {
    details: { ...fault },
  })
}

/**
 * Reads a message from its JSON, as `encodeCanonicalMessage` writes it: its metadata may be absent, its id in capitals. Leaves out what
 * is no part of a message. Throws as `checkCanonicalMessage`.
 */
export function readCanonicalMessage(value: unknown, now: number): CanonicalMessage {
  let message = value
  if (isJsonObject(value)) {
    const { role, content, timestamp, metadata = {} } = value
    const id = typeof value['id'] === 'string' ? value['id'].toLowerCase() : value['id']
    message = { id, role, content, timestamp, metadata }
  }
  checkCanonicalMessage(message, now)
  return message
}

/** Whether the content is blank. */
export function isEmptyMessage({ content }: Pick<CanonicalMessage, 'content'>): boolean {
  return !/[^\p{White_Space}\ufeff]/u.test(content)
}

/** Bytes of the content in UTF-8. */
export function contentLength({ content }: Pick<CanonicalMessage, 'content'>): number {
  return Buffer.byteLength(content)
}

/** Encodes a message as JSON: the time in UTC, no empty metadata. */
export function encodeCanonicalMessage({ id, role, content, timestamp, metadata = {} }: CanonicalMessage) {
  return {
    id,
    role,
    content,
    timestamp: timestamp.endsWith('Z') ? timestamp : formatTime(Date.parse(timestamp)),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** Formats a time as ISO 8601 in UTC, without a fraction of a second if there is none. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** Encodes token counts as JSON. */
export function encodeTokenUsage({ inputTokens, outputTokens }: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** Messages as a model gets them. */
export interface CanonicalHistory {
  /** The system messages, one paragraph each. Empty if there are none. */
  readonly systemPrompt: string
  readonly messages: readonly Message[]
}

/** Converts messages to a history. Their metadata gets the prefix `client.`, so that none is taken for pipe's own. */
export function canonicalHistory(messages: readonly CanonicalMessage[]): CanonicalHistory {
  const system = messages.filter(({ role }) => role === 'system')
  return {
    systemPrompt: system.map(({ content }) => content).join('\n\n'),
    messages: messages.flatMap((message) => toMessage(message) ?? []),
  }
}

function toMessage({ id, role, content, timestamp, metadata = {} }: CanonicalMessage): Message | undefined {
  const own = Object.entries(metadata).map(([name, value]) => [`client.${name}`, value])
  const base = {
    id,
    content: [{ type: 'text', text: content } as const],
    timestamp,
    ...(own.length === 0 ? {} : { metadata: Object.fromEntries(own) }),
  }
  if (role === 'system') return undefined
  return role === 'user'
    ? { type: 'user', ...base }
    : { type: 'assistant', ...base, stopReason: 'end_turn', usage: noUsage }
}

/** A broken rule of the domain. */
export type SentinelError =
  | { readonly type: 'invalid_state_transition'; readonly from: AgentState; readonly to: AgentState }
  | { readonly type: 'invalid_message'; readonly reason: string }
  | { readonly type: 'domain_violation'; readonly rule: string }

/** Describes an error as the broken rule that it reports; `undefined` if it reports none. */
export function sentinelError({ details }: Pick<PipeError, 'details'>): SentinelError | undefined {
  const { from, to, rule, reason } = details
  if (isState(from) && isState(to)) return { type: 'invalid_state_transition', from, to }
  if (rule !== undefined) return { type: 'domain_violation', rule }
  return reason === undefined ? undefined : { type: 'invalid_message', reason }
}

function isState(text: string | undefined): text is AgentState {
  return text === 'idle' || text === 'thinking' || text === 'toolcall' || text === 'reflecting'
}
