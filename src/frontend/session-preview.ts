/** Facts that tell a conversation from others. */
export interface SessionPreview {
  /** `provider/model`. */
  readonly model?: string | undefined
  /** Messages of the user and the model. */
  readonly messages: number
  /** The last words that the user wrote, and those that the model answered. */
  readonly asked?: string | undefined
  readonly answered?: string | undefined
}

/** Reads a preview of a session. Throws `aborted`, and what reading it throws. */
export type ReadPreview = (id: string, signal: AbortSignal) => Promise<SessionPreview>
