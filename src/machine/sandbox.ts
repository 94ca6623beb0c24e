import type { CommandRunner } from './running-command.ts'

/** Runs commands with restricted file and network access. */
export interface Sandbox {
  /** Runs programs inside. Throws `sandbox` if that does not work on this machine. */
  readonly commands: CommandRunner
  readonly mode: SandboxMode
  /**
   * Returns a hint for the model on how the sandbox may have caused this output; `undefined` if nothing suggests so. After
   * success, only output that hardly anything else causes counts; a late command may be waiting for the network.
   */
  explain(output: string, outcome: CommandOutcome): string | undefined
}

export type CommandOutcome = 'done' | 'failed' | 'late'

/** `read-only`: only temporary files may be written. `workspace-write`: the working folders, too. */
export const sandboxModes = ['read-only', 'workspace-write'] as const

export type SandboxMode = (typeof sandboxModes)[number]
