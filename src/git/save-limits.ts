/** Limits past which a save of the project's files gives up. */
export interface SaveLimits {
  readonly files: number
  readonly ms: number
  /** For what `write` and `edit` change: a few files, which only a stalled machine is slow to keep. */
  readonly writtenMs: number
  /** Leaves out larger files. */
  readonly fileBytes: number
}

export const turnLimits: SaveLimits = {
  files: 20_000,
  ms: 2_000,
  writtenMs: 10_000,
  fileBytes: 10 * 1024 * 1024,
}

/** An undo that the user asks for may take longer than the automatic save of a turn. */
export const undoLimits: SaveLimits = { ...turnLimits, files: 1_000_000, ms: 120_000 }

/** How many turns of one session can be undone, and for how long. */
export const kept = { turns: 100, ms: 30 * 24 * 60 * 60 * 1_000 } as const
