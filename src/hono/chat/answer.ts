import type { SessionId } from '../../id.ts'
import type { AssistantMessage } from '../../message.ts'
import type { StopReason, Usage } from '../../usage.ts'

/** An answer on its way to a client, whatever its format. */
export interface ServedAnswer {
  /** `provider/model` that begins it. */
  readonly model: string
  /** Absent if a model answers without a session. */
  readonly sessionId?: SessionId
  /**
   * The answer as it comes: one `begin`, one `end`. Releases everything when it ends or is returned, so pull it at least once. Throws
   * `PipeError`.
   */
  readonly parts: AsyncGenerator<AnswerPart, void, undefined>
}

export type AnswerPart =
  /** The model has begun to answer. */
  | { readonly type: 'begin' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** A call for the client to carry out. `index` counts the calls of the answer from 0. */
  | { readonly type: 'call_begin'; readonly index: number; readonly id: string; readonly name: string }
  /** A piece of the arguments' JSON text. */
  | { readonly type: 'call_delta'; readonly index: number; readonly delta: string }
  /** The agent's events, as lines of `stream-json`. */
  | { readonly type: 'events'; readonly lines: readonly object[] }
  | { readonly type: 'end'; readonly end: AnswerEnd }

export interface AnswerEnd {
  readonly stopReason: StopReason
  /** Of all rounds. */
  readonly usage: Usage
  /** The last reply. Absent if the model said nothing. */
  readonly message: AssistantMessage | undefined
}

/** Options of an answer. */
export interface AnsweringOptions {
  /** Ends the answer, because the client has gone. */
  readonly signal: AbortSignal
  /** The client sees each part as it comes, so that none can be taken back. */
  readonly isStreamed: boolean
}
