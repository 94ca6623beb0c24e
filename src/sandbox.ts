import type { CommandRunner } from './command.ts'

/** Runs commands where they change little and reach nobody. */
export interface Sandbox {
  /** Runs programs inside. Throws `sandbox` where that does not work on this machine. */
  readonly commands: CommandRunner
  /** `read-only`, `workspace-write`. */
  readonly mode: SandboxMode
  /**
   * For the model: what may have kept a command with this output from something; `undefined` where nothing hints at the sandbox. Of a
   * command that did well only what nothing else would have said counts; one that is late may wait for what it cannot reach.
   */
  explain(output: string, outcome: CommandOutcome): string | undefined
}

export type CommandOutcome = 'done' | 'failed' | 'late'

/** Nothing but temporary files may be written, or what lies in the folders that are worked in as well. */
export const sandboxModes = ['read-only', 'workspace-write'] as const

export type SandboxMode = (typeof sandboxModes)[number]
