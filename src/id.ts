import { PipeError } from './error.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** UUID v4. */
export type MessageId = Branded<'message'>
/** UUID: that of its session, so that it survives restarts; v4 for an agent without a session. */
export type AgentId = Branded<'agent'>
/** UUID v7: sorts by the session's start. */
export type SessionId = Branded<'session'>
/** `ui_` and 12 characters. */
export type InteractionId = Branded<'interaction'>
/** 21 characters. Our own begin with a letter or digit, so that none looks like a flag. */
export type TaskId = Branded<'task'>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const interaction = /^ui_[A-Za-z0-9_-]{12}$/
const task = /^[A-Za-z0-9_-]{21}$/

export const isMessageId = (text: string): text is MessageId => uuid.test(text)
export const isAgentId = (text: string): text is AgentId => uuid.test(text)
export const isInteractionId = (text: string): text is InteractionId => interaction.test(text)
export const isTaskId = (text: string): text is TaskId => task.test(text)

/** The place before the first message, as the head of a session or the parent of a message: the nil UUID. */
export const beforeFirst: MessageId = checked('00000000-0000-0000-0000-000000000000', isMessageId)

/** Letters, digits, `.`, `_` and `-`, at most 64, no leading dot: safe as a file name. Our own are UUIDs. */
export const isSessionId = (text: string): text is SessionId =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(text)

/** Returns the id of the agent that works in a session: the session's own, or for a name that is no UUID, one that follows from it. */
export function agentOfSession(id: SessionId): AgentId {
  return checked(uuid.test(id) ? id : uuidOfName(id), isAgentId)
}

/** Returns a UUID of our own making (version 8): four 32-bit FNV-1a hashes of a name, each of a later start. */
function uuidOfName(name: string): string {
  const bytes = new Uint8Array(16)
  const words = new DataView(bytes.buffer)
  let hash = 0x811c9dc5
  for (let at = 0; at < 16; at += 4) {
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
    words.setUint32(at, hash >>> 0)
  }
  return formatUuid(bytes, 8)
}

/** Reads a message's id. Throws `input` if the text is not a UUID in lower case. */
export function readMessageId(text: string): MessageId {
  return read(text, isMessageId, 'a message id')
}

/** Reads an agent's id. Throws `input` if the text is not a UUID in lower case. */
export function readAgentId(text: string): AgentId {
  return read(text, isAgentId, 'an agent id')
}

/** Reads a session id. Throws `input` if the text is not one. */
export function readSessionId(text: string): SessionId {
  return read(text, isSessionId, 'a session id')
}

/** Reads a question's id. Throws `input` if the text is not `ui_` and 12 characters. */
export function readInteractionId(text: string): InteractionId {
  return read(text, isInteractionId, 'an interaction id')
}

/** Reads a task's id. Throws `input` if the text is not 21 characters of it. */
export function readTaskId(text: string): TaskId {
  return read(text, isTaskId, 'a task id')
}

function read<Id extends string>(text: string, is: (text: string) => text is Id, name: string): Id {
  if (is(text)) return text
  throw new PipeError('input', `not ${name}: ${JSON.stringify(text)}`)
}

/** Creates all identifiers of the program. The composition root passes it to factories. */
export interface NewId {
  message(): MessageId
  agent(): AgentId
  session(): SessionId
  interaction(): InteractionId
  task(): TaskId
  /** `tool_` and 12 characters, for servers that send a call without an id. */
  toolCall(): string
}

/** `random(n)` returns n random bytes; `now()` is milliseconds since 1970. */
export function createNewId(random: (bytes: number) => Uint8Array, now: () => number): NewId {
  const v4 = () => formatUuid(random(16), 4)
  const v7 = () => {
    const bytes = random(16)
    let ms = now()
    for (let i = 5; i >= 0; i--) {
      bytes[i] = ms % 256
      ms = Math.floor(ms / 256)
    }
    return formatUuid(bytes, 7)
  }
  return {
    message: () => checked(v4(), isMessageId),
    agent: () => checked(v4(), isAgentId),
    session: () => checked(v7(), isSessionId),
    interaction: () => checked(`ui_${short(random(12))}`, isInteractionId),
    task: () => checked(short(random(1), 62) + short(random(20)), isTaskId),
    toolCall: () => `tool_${short(random(12))}`,
  }
}

/** Formats sixteen bytes as a UUID of this version (RFC 9562). */
export function formatUuid(bytes: Uint8Array, version: number): string {
  let hex = ''
  for (const [i, byte] of bytes.entries()) {
    const stamped = i === 6 ? (byte & 0x0f) | (version << 4) : i === 8 ? (byte & 0x3f) | 0x80 : byte
    hex += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + stamped.toString(16).padStart(2, '0')
  }
  return hex
}

function checked<Id extends string>(text: string, is: (text: string) => text is Id): Id {
  if (is(text)) return text
  throw new PipeError('internal', `made a malformed id: ${text}`)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

/** Writes each byte as one of the alphabet's first characters. */
function short(bytes: Uint8Array, choices = alphabet.length): string {
  return Array.from(bytes, (byte) => alphabet[byte % choices]).join('')
}
