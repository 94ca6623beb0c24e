import type { Program } from './command.ts'

/** Programs that run to their end, as a port: probes, editors, helpers. For long output and background work see `CommandRunner`. */
export interface ProgramRunner {
  /**
   * Runs a program and resolves when it has exited, whatever its exit code. A name without a slash is looked up in the absolute
   * entries of the program's `PATH`. Throws `tool` if it cannot be started, takes longer than `timeoutMs` or writes more than
   * `maxBytes`, and `aborted` when the signal fires; each ends the program.
   */
  run(program: Program, options: ProgramOptions): Promise<ProgramResult>
}

export interface ProgramOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Limit of stdout, and of stderr. */
  readonly maxBytes: number
  /** Default: empty. */
  readonly input?: string
}

export interface ProgramResult {
  /** `null` if a signal ended the program. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}
