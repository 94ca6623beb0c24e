/** The saved files around a turn, by the names of their states. */
export interface FilesAroundTurn {
  readonly before: string
  /** Absent if the turn was cut short. */
  readonly after?: string | undefined
}

export interface KnownTurn {
  /** Absent if nothing was saved around this turn. */
  readonly saved: FilesAroundTurn | undefined
  /** Whether it certainly changed files. */
  readonly changed: boolean
}

/**
 * Returns the saved state of the files before a turn, or after the last one if `at` is the number of turns. A turn without a saved
 * state changed nothing, unless it is known to. `undefined` if the state is unknown.
 */
export function filesBefore(turns: readonly KnownTurn[], at: number): string | undefined {
  const own = turns[at]?.saved
  if (own !== undefined) return own.before
  for (let i = at - 1; i >= 0; i--) {
    const { saved, changed } = turns[i] ?? {}
    if (saved !== undefined) return saved.after
    if (changed === true) return undefined
  }
  for (const { saved, changed } of turns.slice(at)) {
    if (saved !== undefined) return saved.before
    if (changed) return undefined
  }
  return undefined
}
