/** Child processes as a port: programs in their own process groups, without a terminal. */
export interface CommandRunner {
  /**
   * Runs a program with empty stdin, or with this input. Yields its output and returns its exit, at most 2 s late if a child still holds the pipe. The
   * signal, a return or the timeout ends the whole group: TERM, 3 s, KILL. Throws `tool` if it cannot start, and `aborted`.
   */
  run(
    command: CommandLine,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined>
  /** Starts the work that the first start would otherwise wait for. */
  prepare(): void
  /**
   * Starts a program that runs until its owner releases it. If the system supports it, all output is `stdout`, in the order
   * written. Throws `tool` if it cannot start.
   */
  start(program: ProgramCall, options?: StartOptions): Promise<RunningCommand>
  /**
   * Removes these paths, if empty, and the claims, seconds after this process was killed and its commands have ended. `claims`:
   * folders named by pid. A path stays while another running process has a claim beside them.
   */
  removeIfKilled(paths: readonly string[], claims?: readonly string[]): void
  /** Ends every group that is still running. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly stdin: 'empty' | 'open'
  /** Default: all output is one stream. */
  readonly output?: 'separate'
  /** Time in ms between TERM and KILL. Default: 3,000. */
  readonly graceMs?: number
}

export interface ProgramCall {
  readonly file: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface CommandLine extends ProgramCall {
  readonly timeoutMs: number
  /** The whole of stdin. Default: it is empty. */
  readonly input?: string
}

export interface CommandOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly chunk: Uint8Array
}

export interface CommandExit {
  /** `null` if a signal ended the program. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** Set if a child process still held the output 2 s later. */
  readonly isOutputHeld?: true
}

/** The return value of an output generator that its consumer abandons. */
export const unfinished: CommandExit = { exitCode: null, signal: null, timedOut: false, durationMs: 0 }

/** A started program. It has one owner, who pulls its output and releases it. */
export interface RunningCommand {
  /** Id of the process and of its group. */
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /**
   * Yields its output from here on and returns its exit, at most 2 s after the program has ended. Throws `aborted` when the
   * signal fires, without affecting the program: a later call continues. One consumer at a time.
   */
  output(signal: AbortSignal): AsyncGenerator<CommandOutput, CommandExit, undefined>
  /** Writes to stdin; an empty text closes it. Returns false if stdin is not open. */
  write(text: string): boolean
  /** Ends the whole group: TERM, 3 s, KILL. With `timeout`, the exit has `timedOut`. Returns the same promise for every call. */
  end(reason?: 'timeout'): Promise<void>
  /** Releases the program and ends it in the background if it still runs. Other processes of its group continue until `close`. */
  release(): void
}

/** Background commands, which outlive the call and the turn that started them. */
export interface ProcessTable {
  /** Whether the maximum number of commands is running. If so, adopt no more. */
  readonly isFull: boolean
  /** Takes ownership of a running command and of its log, and pulls the output into the log. */
  adopt(
    running: RunningCommand,
    about: { readonly command: string; readonly log: OutputLog },
  ): BackgroundProcess
  /** The running processes and the latest ended ones, oldest first. */
  list(): readonly BackgroundProcess[]
  find(id: string): BackgroundProcess | undefined
  /** Ends all of them. */
  close(): Promise<void>
}

export interface BackgroundProcess {
  /** `p1`, `p2` … */
  readonly id: string
  readonly command: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Its exit, once all output is in the log; `undefined` while it runs. */
  readonly exit: CommandExit | undefined
  readonly log: OutputLog
  /** The last line that was written to it, if it has no end yet, with those before it that a backslash may continue. */
  readonly begun: string
  /** Like `RunningCommand.write`. */
  write(text: string): boolean
  /** Ends it: TERM, 3 s, KILL. Resolves when `exit` is known. */
  end(): Promise<void>
}

/** Collects a command's output in bounded memory. */
export interface OutputLog {
  /** Bytes since the last `take`. */
  readonly unread: number
  /** The end of all output so far: some thousand characters. */
  readonly tail: string
  /** Adds output and returns it as text. An incomplete character comes with the next piece. */
  push(output: CommandOutput): Promise<string>
  /** Returns the output since the last `take`. */
  take(): LoggedOutput
  /** Ends the log. `take` still works. */
  close(): Promise<void>
}

export interface LoggedOutput {
  /** For the model: the whole output, or its beginning and end with a line between that reports the gap. */
  readonly text: string
  readonly bytes: number
  /** Lines of the whole output, if `text` has not all of them. */
  readonly lines?: number | undefined
  /** File with the whole output, if that is too long for the model. */
  readonly spill?: string | undefined
}
