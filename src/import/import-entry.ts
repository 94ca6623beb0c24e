import type { ContentBlock } from '../message.ts'
import type { StopReason, Usage } from '../usage.ts'

/** The place of an entry in its file. */
export interface EntryPlace {
  /** Its id in the file. */
  readonly id: string
  /** The entry it follows; `null` if it begins a conversation. An unknown one stands for the entry before. */
  readonly parent: string | null
  /** As written in the file. */
  readonly timestamp: string
}

export interface UserEntry extends EntryPlace {
  readonly type: 'user'
  readonly content: readonly ContentBlock[]
  /** The number of first blocks that the agent put before the user's words. Default: none. */
  readonly context?: number
  /** The message is the report of a sub-agent. */
  readonly isReport?: boolean
}

/** A reply, or a part of one: parts with the same `replyId` are joined. */
export interface ReplyEntry extends EntryPlace {
  readonly type: 'reply'
  readonly replyId: string
  readonly content: readonly ContentBlock[]
  readonly provider?: string
  readonly model?: string
  readonly stopReason?: StopReason
  readonly rawStopReason?: string
  readonly usage?: Usage
}

export interface ResultEntry extends EntryPlace {
  readonly type: 'result'
  readonly toolCallId: string
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
}

/** A summary that replaced what was said before it. */
export interface SummaryEntry extends EntryPlace {
  readonly type: 'summary'
  readonly text: string
  /** The first of the last entries before it that were kept. Default: none were. */
  readonly keptFrom?: string
  /** The user's words before it that are still sent, word for word. Default: none. */
  readonly prompts?: readonly ContentBlock[]
}

/** Files that were attached to the prompt, or to the summary, that the entry follows. */
export interface AttachedEntry extends EntryPlace {
  readonly type: 'attached'
  readonly content: readonly ContentBlock[]
}

/** A line without a message, which others may follow. */
export interface LinkEntry extends EntryPlace {
  readonly type: 'link'
}

/** A line of another agent's session, as far as pipe can express it. */
export type ImportEntry = UserEntry | ReplyEntry | ResultEntry | SummaryEntry | AttachedEntry | LinkEntry
