/** What a saving of the project's files may take, before it is given up. */
export interface Limits {
  readonly files: number
  readonly ms: number
  /** A larger file is left out. */
  readonly fileBytes: number
}

export const turnLimits: Limits = { files: 20_000, ms: 2_000, fileBytes: 10 * 1024 * 1024 }

/** A person who asks for their files waits longer than a turn that goes by. */
export const undoLimits: Limits = { ...turnLimits, files: 1_000_000, ms: 120_000 }

/** Turns of one session that can be undone, and for how long. */
export const kept = { turns: 100, ms: 30 * 24 * 60 * 60 * 1_000 } as const
