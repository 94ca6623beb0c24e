import type { PipeError } from './error.ts'
import type { MessageId, SessionId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { Message } from './message.ts'
import type { Usage } from './usage.ts'

/** A saved conversation. */
export interface Session extends SessionState {
  readonly id: SessionId
  readonly systemPrompt: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Time of the last message. */
  readonly updatedAt: string
  /** Real path of the conversation's folder: `movedTo`, or that of its beginning. Absent in files that lack it. */
  readonly cwd?: string
  /** The call of another session that began it, if it is an elf's. */
  readonly parent?: ParentCall
  /** All messages in the order they were written. `branchOf` returns those of the current branch. */
  readonly messages: readonly Message[]
}

/** A call of another session. */
export interface ParentCall {
  readonly sessionId: SessionId
  readonly callId: string
}

export type NewSession = Pick<Session, 'id' | 'systemPrompt' | 'createdAt'> &
  Partial<Pick<Session, 'cwd' | 'parent'>>

/** The session that a conversation is written to. */
export type SessionChoice =
  /** `isCleared`: the user left another one for it. */
  | { readonly type: 'new'; readonly isCleared?: true }
  /** Exactly this id. Begins the session if there is none. */
  | { readonly type: 'named'; readonly id: string }
  /**
   * An earlier session, continued or copied: by its id or the beginning of it. Default: the newest of the folder. With `message`, the
   * beginning of a message's id, it goes on from there, and only the branch up to it is copied.
   */
  | {
      readonly type: 'resume'
      readonly id?: string | undefined
      /** Begins a new session if the folder has none. Default: false. */
      readonly mayBegin?: boolean
      readonly message?: string | undefined
    }
  | {
      readonly type: 'fork'
      readonly id?: string | undefined
      readonly mayBegin?: boolean
      readonly message?: string | undefined
      /** The id of the copy, which no session may have. Default: a new one. */
      readonly as?: string | undefined
    }

/** A loaded session, with its unreadable parts. */
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
  /** The session of the elf's parent. Absent: it is no elf's. */
  readonly parentId?: SessionId
  readonly title?: string
  /** The beginning of the first message that the user wrote. */
  readonly opening?: string
  /** The git branch on which its first run began. Absent if unknown. */
  readonly gitBranch?: string
  /** The git commit on which its first run began. Absent if unknown. */
  readonly gitCommit?: string
  /** The `provider/model` that it last asked for. Absent if unknown. */
  readonly model?: string
  /** Its state on its server, or the end of its last turn there. Absent: no server says so. */
  readonly activity?: 'running' | 'waiting' | 'done' | 'failed'
  /** The end of the last turn, if a server ran it. Absent: unknown, or the user stopped it. */
  readonly outcome?: LastOutcome
  /** Number of open questions. Absent: none. */
  readonly pending?: number
  /** Bytes of its file, if it has one. */
  readonly size?: number
  /** The reason why its file or folder cannot be read, as a line for the user with the path. Absent: no fault. */
  readonly fault?: string
}

/** Whether a recording answered it last, not a model. Lists hide such sessions beside others. */
export function isReplay({ model }: Pick<SessionSummary, 'model'>): boolean {
  return model?.startsWith('replay/') === true
}

/** A session of another folder. */
export interface SessionElsewhere extends SessionSummary {
  /** Whether it began on a commit of the repository of this folder. */
  readonly isOfRepository: boolean
}

/** A session's file on disk. */
export interface SessionFile {
  readonly id: SessionId
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** The session files of a folder. */
export interface SessionListing {
  readonly files: readonly SessionFile[]
  /** The sessions with a lock: their files may change while no name in the folder does. */
  readonly open: readonly SessionId[]
  /** Time of the last change to the names in the folder, from before they were listed. Milliseconds since 1970. */
  readonly modified: number
}

/** The session of an elf that a call has begun. */
export interface ChildSession {
  readonly sessionId: SessionId
  /** The name of the elf, such as `e1`. */
  readonly name: string
}

/** A question that waits for an answer, and the call that asks it. */
export interface PendingQuestion {
  readonly callId: string
  readonly interaction: Interaction
  /** SHA-256 of what the answer decides: the tool, its arguments, the judged path, and the question with its diff. */
  readonly subject: string
  /** The elf that asks it. */
  readonly child?: ChildSession
  /**
   * Given while no process ran the conversation, or before the call asked its next question. It counts once, and for this subject
   * only.
   */
  readonly response?: InteractionResponse
}

/** Counts the questions that have no answer yet; `undefined` if none. Takes them as they are stored, too. */
export function countOpen(pending: readonly object[] = []): number | undefined {
  return pending.filter((question) => !('response' in question)).length || undefined
}

/** The end of a turn, unless the user stopped it. */
export type LastOutcome = 'done' | 'failed'

/** The end of a turn. It says nothing any more once `after` is not the last message of the branch. */
export interface LastTurn {
  readonly after: MessageId
  readonly outcome: LastOutcome
}

/** Returns how the last turn of a session ended, if it is known. Takes what is stored, too. */
export function outcomeOf({
  head,
  lastTurn,
}: {
  readonly head?: string | undefined
  readonly lastTurn?: { readonly after: string; readonly outcome: LastOutcome } | undefined
}): LastOutcome | undefined {
  return lastTurn?.after === head ? lastTurn?.outcome : undefined
}

/** Session state of bounded size, stored after the messages. */
export interface SessionState {
  /** The first words of the user, or what the user or a model named it. Absent in sessions of older versions. */
  readonly title?: string
  readonly usage?: Usage
  /** US dollars, counting known prices only. */
  readonly costUsd?: number
  /** Real path of the folder in which it went on after its own was gone. */
  readonly movedTo?: string
  /** Last message of the current branch; `beforeFirst` if it has none. Absent: the last message. */
  readonly head?: MessageId
  /** The requested `provider/model`. Absent: the last one that spoke. */
  readonly model?: string
  /** The end of a turn that a server ran, if nothing was written since. */
  readonly lastTurn?: LastTurn
  /** Open questions, each after those that its call has asked before, which have their answers. Absent: none. */
  readonly pending?: readonly PendingQuestion[]
}

/** The only writer of one session. Holds its lock until closed. */
export interface SessionLog {
  readonly id: SessionId
  /** The error of a full disk while the last messages wait in memory. Each call below retries. `undefined` if none wait. */
  readonly unsaved: PipeError | undefined
  /**
   * Appends a message in O(message) and leaves valid JSON in the file. Throws with the system's reason, except on a full disk:
   * see `unsaved`.
   */
  append(message: Message, state?: SessionState): Promise<void>
  /**
   * Saves state without a message; nothing if the session has no message yet. Throws with the system's reason, on a full disk too.
   */
  update(state: SessionState): Promise<void>
  /** Throws `conflict` if another process took over the session. Absent if nothing is locked. */
  requireHeld?(): void
  /** Returns once everything appended is on disk, or `unsaved` says why it is not. */
  sync(): Promise<void>
  /** Syncs and releases the lock; may be called repeatedly. Throws `storage` if waiting messages are lost. */
  close(): Promise<void>
}

/** Passes calls on to a log, except those that are replaced. */
export function logOver(log: SessionLog, replaced: Partial<SessionLog>): SessionLog {
  return {
    id: log.id,
    get unsaved() {
      return log.unsaved
    },
    append: (message, state) => log.append(message, state),
    update: (state) => log.update(state),
    requireHeld: () => log.requireHeld?.(),
    sync: () => log.sync(),
    close: () => log.close(),
    ...replaced,
  }
}

/** Options for reading a session. */
export interface ReadingOptions {
  readonly signal: AbortSignal
  /** Replacements for fields that damage took, and the folder of a session without one. */
  readonly ifLost?: Pick<NewSession, 'systemPrompt' | 'cwd'>
}

/**
 * Storage of sessions. Reading never writes. Errors: `not_found`; `conflict` if another process writes (details.pid); `input`
 * with the path for a file that is no session or from a newer version; it stays untouched.
 */
export interface SessionStore {
  create(session: NewSession, options: { readonly signal: AbortSignal }): Promise<SessionLog>
  /** Takes the lock, loads the session and prepares to append. */
  open(
    id: SessionId,
    options: ReadingOptions,
  ): Promise<{ readonly log: SessionLog; readonly loaded: LoadedSession }>
  load(id: SessionId, options: ReadingOptions): Promise<LoadedSession>
  /** Returns the ids with this prefix, sorted: an exact match comes first. Reads no session. */
  find(beginning: string, options: { readonly signal: AbortSignal }): Promise<readonly SessionId[]>
  /** Lists sessions, newest first. With `cwd`, only readable ones of this folder. */
  list(options: { readonly signal: AbortSignal; readonly cwd?: string }): AsyncIterable<SessionSummary>
}
