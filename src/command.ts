/** Child processes as a port: programs in process groups of their own, without a terminal. */
export interface CommandRunner {
  /**
   * Runs a program, stdin empty. Pull its output; the return value says how it ended. The signal, a return, or the timeout end
   * the whole group: TERM, 3 s, KILL. Returns at the latest 2 s after the program's exit, even if a child of its still holds the
   * pipe. Throws `tool` where it could not be started, and `aborted`.
   */
  run(
    command: CommandLine,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined>
  /** Begins what the first start would have to wait for. */
  prepare(): void
  /**
   * Starts a program for as long as its owner keeps it. Where the system has a pipe for that, all of its output is `stdout`, in the
   * order in which it was written. Throws `tool` where it could not be started.
   */
  start(program: Program, options?: { readonly stdin: 'empty' | 'open' }): Promise<RunningCommand>
  /**
   * Has exactly these paths removed, as far as nothing is in them, if this process is killed, once what runs has ended. At most a few
   * seconds later. `claims`: folders whose names begin with a pid, in a folder of such beside those of the paths that a claim is laid
   * on; where another process that runs has one there, these paths stay. They are removed too.
   */
  removeIfKilled(paths: readonly string[], claims?: readonly string[]): void
  /** Ends every group that is still running. */
  close(): Promise<void>
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface CommandLine extends Program {
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
  /** There where what it started still held its output 2 s later. */
  readonly isOutputHeld?: true
}

/** What the output of a program is returned with by whoever gives it up: nobody reads it. */
export const unfinished: CommandExit = { exitCode: null, signal: null, timedOut: false, durationMs: 0 }

/** A started program. It has one owner, who pulls its output and releases it. */
export interface RunningCommand {
  /** Of the program, and of its group. */
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /**
   * Its output from here on; the return value says how it ended, at the latest 2 s after its exit. Throws `aborted` when the
   * signal fires, which the program does not feel: what comes later may be pulled anew. One consumer at a time.
   */
  output(signal: AbortSignal): AsyncGenerator<CommandOutput, CommandExit, undefined>
  /** Writes to its stdin; an empty text ends that. Gives false where it is not open. */
  write(text: string): boolean
  /** Ends the whole group: TERM, 3 s, KILL. Its exit says so where its time was up. The same promise for every call. */
  end(reason?: 'timeout'): Promise<void>
  /** Gives it up: where it still runs, it is ended behind the owner's back. What it left in its group goes on until `close`. */
  release(): void
}

/** Commands that go on in the background, beyond the call and the turn that started them. */
export interface ProcessTable {
  /** Whether as many run as may; nothing should be adopted then. */
  readonly isFull: boolean
  /** Becomes the owner of a running command and of its log, into which it pulls the output from here on. */
  adopt(
    running: RunningCommand,
    about: { readonly command: string; readonly log: OutputLog },
  ): BackgroundProcess
  /** The oldest first; of those that have ended only the latest. */
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
  /** How it ended, once all its output is in the log; `undefined` while it runs. */
  readonly exit: CommandExit | undefined
  readonly log: OutputLog
  /** As `RunningCommand.write`. */
  write(text: string): boolean
  /** TERM, 3 s, KILL; resolves when `exit` is known. */
  end(): Promise<void>
}

/** Takes a command's output in, in bounded memory. */
export interface OutputLog {
  /** Bytes that came since the last `take`. */
  readonly unread: number
  /** Gives the piece as text; a character that is not complete yet comes with the next piece. */
  push(output: CommandOutput): Promise<string>
  /** What came since the last `take`. */
  take(): LoggedOutput
  /** Nothing more comes; what is there may still be taken. */
  close(): Promise<void>
}

export interface LoggedOutput {
  /** For the model: all of it, or its beginning and end with a line between that says what is missing. */
  readonly text: string
  readonly bytes: number
  /** The file that has the whole output, where that is too long for the model. */
  readonly spill?: string
}
