/** Child processes as a port. */
export interface CommandRunner {
  /**
   * Runs a program in a process group of its own, without a terminal, stdin empty. Pull its output; the return value says how
   * it ended. The signal, a return, or the timeout end the whole group: TERM, 3 s, KILL. Returns at the latest 2 s after the
   * program's exit, even if a child of its still holds the pipe. Throws `tool` where it could not be started, and `aborted`.
   */
  run(
    command: CommandLine,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined>
  /** Ends every group that is still running. */
  close(): Promise<void>
}

export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export interface CommandOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly chunk: Uint8Array
}

export interface CommandExit {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number
}
