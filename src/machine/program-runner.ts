import type { ProgramCall } from './running-command.ts'

/** Programs that run to their end, as a port: probes, editors, helpers. For long output and background work see `CommandRunner`. */
export interface ProgramRunner {
  /**
   * Resolves when the program has exited, whatever its exit code. Looks up a name in the absolute entries of its `PATH`. Ends it and
   * throws `tool` after `timeoutMs` or `maxBytes`, `aborted` on the signal. Throws `tool`, too, if it cannot start.
   */
  run(program: ProgramCall, options: ProgramOptions): Promise<ProgramResult>
}

export interface ProgramOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Limit of stdout, and of stderr. */
  readonly maxBytes: number
  /** Default: empty. */
  readonly input?: string
  /** Whether each character of stdout stands for a byte. Default: it is text in UTF-8. */
  readonly isBinary?: boolean
}

export interface ProgramResult {
  /** `null` if a signal ended the program. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}
