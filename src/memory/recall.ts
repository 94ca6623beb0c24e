import type { SessionId } from '../id.ts'
import type { JsonValue } from '../json-value.ts'
import type { SessionSummary } from '../session.ts'

/** The fields of a message that a search reads, in memory or on disk. */
export interface SearchableMessage {
  readonly id: string
  readonly type: 'user' | 'assistant' | 'tool_result'
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly content: readonly SearchableBlock[]
  readonly metadata?: Readonly<Record<string, string>>
}

export interface SearchableBlock {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: JsonValue
}

/** A session as a search reads it. */
export interface SearchableSession {
  readonly createdAt: string
  readonly updatedAt: string
  readonly cwd?: string
  readonly title?: string
  /** In the order they were written, of all branches. */
  readonly messages: readonly SearchableMessage[]
}

/** A search in the messages of all sessions, for words and for their meaning. */
export interface RecallQuery {
  readonly words: string
  /** Only sessions of this folder, a real path. Default: all. */
  readonly cwd?: string | undefined
  /** Only sessions whose last message is at least this new, in milliseconds since 1970. Default: all. */
  readonly since?: number
  /** Excludes this session, and leaves it out of the index until another search: its turn may not be over. */
  readonly except?: SessionId | undefined
  /** Maximum number of sessions to return. */
  readonly limit: number
}

export interface RecallOptions {
  readonly signal: AbortSignal
  /** Receives progress, in one line, when the search has to index so many sessions that it takes time. */
  readonly onProgress?: (line: string) => void
}

/** The sessions that were found, best first. */
export interface RecallResult {
  readonly sessions: readonly RecalledSession[]
  /** Counts all sessions found, also those beyond the limit. */
  readonly total: number
  readonly ranking: RecallRanking
  /** Why meaning did not count, in one line. Absent if it did. */
  readonly lack?: RecallLack | undefined
}

/** By the words of a query alone, or also by its meaning. */
export type RecallRanking = 'words' | 'words_and_meaning'

export interface RecallLack {
  /** Whether something failed. Otherwise no model for embeddings is chosen. */
  readonly isFailure: boolean
  readonly reason: string
}

/** Describes a session that a search found. All texts are redacted. */
export interface RecalledSession extends Omit<SessionSummary, 'pending' | 'fault'> {
  /** The message that matches best. Absent if the session changed during the search. */
  readonly excerpt?: RecallExcerpt
}

/** A part of a message around the words that match, in one line and redacted. */
export interface RecallExcerpt {
  readonly messageId: string
  readonly type: SearchableMessage['type']
  readonly timestamp: string
  readonly text: string
  /** Start and end of each match in `text`, in order. None if the session was found by its meaning: then `text` is the message's beginning. */
  readonly matches: readonly (readonly [start: number, end: number])[]
}

/** Search over all messages of all sessions. */
export interface Recall {
  /**
   * Finds the sessions that hold the words or words that begin with them, ranked by BM25; those with more of the words come first. With a
   * model for embeddings, also finds the sessions nearest in meaning, and joins both rankings. Indexes and embeds what changed since the
   * last search. Throws `aborted`, and the system's reason if the index cannot be written.
   */
  search(query: RecallQuery, options: RecallOptions): Promise<RecallResult>
  /** Adds the messages that a turn saved. Never throws: a later search finds what could not be added. */
  add(turn: SavedTurn): void
  /**
   * Removes sessions, all their words and their vectors from the index; nothing if there is no index. Throws `conflict` if another
   * process holds the index for 30 s, and the reason of the system or the database if it cannot be read or written.
   */
  forget(ids: readonly SessionId[], options: { readonly signal: AbortSignal }): Promise<void>
  /** Waits for work in the background. May be called repeatedly. */
  close(): Promise<void>
}

/** The messages that one turn added to a session's file. */
export interface SavedTurn {
  readonly id: SessionId
  readonly cwd?: string | undefined
  readonly createdAt: string
  /** Counts the messages of the file before this turn. */
  readonly from: number
  readonly messages: readonly SearchableMessage[]
}
