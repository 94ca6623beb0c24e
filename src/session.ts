import type { PipeError } from './error.ts'
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
  /** What keeps its file from being read, or from saying its folder: a line for a person, with the path. Absent: nothing. */
  readonly fault?: string
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
  /** What a person should know of the place it is kept in. */
  readonly warnings?: readonly string[]
  /** The reason why the last messages wait in memory: the disk is full. Each call below retries. `undefined`: none waits. */
  readonly unsaved: PipeError | undefined
  /** O(message). Leaves valid JSON in the file. Throws with the system's reason, except on a full disk: see `unsaved`. */
  append(message: Message, state?: SessionState): Promise<void>
  /** Throws `conflict` if another process took over the session. Absent if nothing is locked. */
  requireHeld?(): void
  /** Returns once everything appended is on disk, or `unsaved` says why it is not. */
  sync(): Promise<void>
  /** Syncs and releases the lock; may be called repeatedly. Throws `storage` if waiting messages are lost. */
  close(): Promise<void>
}

/** How a session is read. */
export interface ReadingOptions {
  readonly signal: AbortSignal
  /** What a file that damage has robbed of these is taken to say. */
  readonly ifLost?: Pick<NewSession, 'systemPrompt' | 'cwd'>
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
    options: ReadingOptions,
  ): Promise<{ readonly log: SessionLog; readonly loaded: LoadedSession }>
  load(id: SessionId, options: ReadingOptions): Promise<LoadedSession>
  /** The ids that begin like this, in order: the one that is no longer stands first. Reads no session. */
  find(beginning: string, options: { readonly signal: AbortSignal }): Promise<readonly SessionId[]>
  /** Newest first. With `cwd` only those of this folder that can be read. */
  list(options: { readonly signal: AbortSignal; readonly cwd?: string }): AsyncIterable<SessionSummary>
}
