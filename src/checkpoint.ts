import type { UserMessage } from './message.ts'

/**
 * Keeps the project's files as they were before and after each turn that may have changed them. What keeps it from doing so fails
 * no turn: it is said in a note, each once.
 */
export interface Checkpoints {
  /** A turn begins. Nothing is saved before it wants to change something. */
  begin(message: UserMessage): void
  /**
   * Called before every call that may change files: saves them as they are before the first one of a turn, within 2 s. `undefined`
   * where there is nothing to say. Throws `aborted`.
   */
  save(options: { readonly signal: AbortSignal }): Promise<Checkpoint | undefined>
  /** A call of this turn has written this file, absolute or from the folder on in which we work. */
  wrote(path: string): void
  /**
   * Saves the files as the turn left them, where `save` did, within 2 s, and says which of those that calls wrote are
   * not among them. Takes no signal: a turn that was aborted ends, too.
   */
  end(): Promise<Checkpoint | undefined>
}

/** What became of saving the files. */
export interface Checkpoint {
  /** Absent where they were not saved. */
  readonly id?: string
  /** For the person: what cannot be undone, and why. */
  readonly notes: readonly string[]
}
