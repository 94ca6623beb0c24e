/** A command that runs in the background, or ran there. */
export interface BackgroundCommand {
  /** `p1`, `p2` … */
  readonly id: string
  readonly command: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** The way it ended; absent while it runs. */
  readonly ending?: string | undefined
  /** The last line that it wrote, if any. */
  readonly lastLine?: string | undefined
}

/** The commands that the conversation left running in the background. */
export interface BackgroundCommands {
  /** Lists them, oldest first. */
  list(): readonly BackgroundCommand[]
  /** Returns the end of what one has written. */
  output(id: string): string
  /** Ends one. Resolves once it has ended. */
  stop(id: string): Promise<void>
}
