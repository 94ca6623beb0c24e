import type { MessageId, SessionId } from './id.ts'
import type { Message } from './message.ts'
import type { Usage } from './usage.ts'

/** What is saved of a conversation. */
export interface Session extends SessionState {
  readonly id: SessionId
  readonly systemPrompt: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
  /** Real path of the folder the conversation is about. Absent in files that never said. */
  readonly cwd?: string
  readonly messages: readonly Message[]
}

export type NewSession = Pick<Session, 'id' | 'systemPrompt' | 'createdAt'> & Partial<Pick<Session, 'cwd'>>

/** A session as it was found, with what could not be read of it. */
export interface LoadedSession {
  readonly session: Session
  readonly damage: readonly Damage[]
}

/** A line that was skipped. It stays in the file. */
export interface Damage {
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

/** A session without its messages, cheap to list. */
export interface SessionSummary {
  readonly id: SessionId
  readonly createdAt: string
  readonly updatedAt: string
  readonly cwd?: string
  readonly title?: string
  /** The beginning of the first user message that a person wrote. */
  readonly opening?: string
}

/** The bounded state after the messages. */
export interface SessionState {
  readonly title?: string
  readonly usage?: Usage
  /** US dollars, as far as prices were known. */
  readonly costUsd?: number
  /** The last message of the branch that goes on. Absent: the last message. */
  readonly head?: MessageId
  /** `provider/model` that the conversation is set to, as it was asked for. Absent: whoever spoke last. */
  readonly model?: string
}

/** The one writer of one session. Holds its lock until closed. */
export interface SessionLog {
  readonly id: SessionId
  /** O(message). The file is valid JSON afterwards. Throws `internal` with the system's reason (disk full). */
  append(message: Message, state?: SessionState): Promise<void>
  /** Returns when all that was appended is on the disk. */
  sync(): Promise<void>
  /** Syncs and gives the lock back. Any number of times. */
  close(): Promise<void>
}

/**
 * Where sessions live. Reading never writes. Errors: `not_found`; `conflict` where another process writes (details.pid);
 * `input` for a file that is no session or comes from a newer version, which is named and left untouched.
 */
export interface SessionStore {
  create(session: NewSession, options: { readonly signal: AbortSignal }): Promise<SessionLog>
  /** Takes the lock, loads, and makes ready to append. */
  open(
    id: SessionId,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly log: SessionLog; readonly loaded: LoadedSession }>
  load(id: SessionId, options: { readonly signal: AbortSignal }): Promise<LoadedSession>
  /** Newest first. Files that cannot be read are left out. */
  list(options: { readonly signal: AbortSignal; readonly cwd?: string }): AsyncIterable<SessionSummary>
}
