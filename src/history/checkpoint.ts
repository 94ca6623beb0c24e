import type { UserMessage } from '../message.ts'

/**
 * Saves the project's files before and after each turn that may change them. A failure does not fail the turn; it is reported in
 * a note, once.
 */
export interface Checkpoints {
  /** Starts a turn. Nothing is saved until the turn wants to change something. */
  begin(message: UserMessage): void
  /**
   * Saves the files before the first call of a turn that may change them, within 2 s. Call it before every such call. Returns
   * `undefined` if there is nothing to report. Throws `aborted`.
   */
  save(options: SaveOptions): Promise<Checkpoint | undefined>
  /**
   * Keeps what a file is before a call of this turn writes it, unless it is saved with the project. Absolute, links followed. Throws
   * `aborted`; other failures are reported by `end`.
   */
  keep(path: string, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Saves the files after a turn in which `save` saved them, within 2 s. Reports files written by calls that it does not cover.
   * Takes no signal, because aborted turns end, too.
   */
  end(): Promise<Checkpoint | undefined>
}

export interface SaveOptions {
  readonly signal: AbortSignal
  /** The call passes every file that it changes to `keep`, so an undo covers all that it does. Default: false. */
  readonly keepsFiles?: boolean
}

/** The result of saving files. */
export interface Checkpoint {
  /** Absent if the files were not saved. */
  readonly id?: string
  /** Reports to the user what cannot be undone, and why. */
  readonly notes: readonly string[]
  /** Names what may have changed in this turn without being saved: a phrase such as `vendor/`. Absent if all was saved. */
  readonly unsaved?: string
}

/** Nothing to undo: the files are not those of the user's folder. */
export const noCheckpoints: Checkpoints = {
  begin: () => undefined,
  save: async () => undefined,
  keep: async () => undefined,
  end: async () => undefined,
}
