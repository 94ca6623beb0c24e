import type { CommandReader } from './command-line.ts'
import type { Rules } from './finding.ts'
import type { NotesFolder } from './notes-folder.ts'
import type { Paths } from './paths/paths.ts'

/** The facts and rules that a call is judged by. */
export interface JudgeContext {
  readonly rules: Rules
  readonly paths: Paths
  readonly reader: CommandReader
  readonly home: string
  /** Whether the folder is trusted, so that git may run programs from the repository's configuration. */
  readonly trusted: boolean
  /** Returns the repository's setting that makes even a read-only git command run a program. */
  readonly gitRuns: () => Promise<string | undefined>
  /** Returns the project's program that would run under this name because of `PATH`. */
  readonly projectProgram: (name: string) => string | undefined
  /** Commands that only read, and only in the project, need no rule. */
  readonly readsFreely: boolean
  /** Edits in the project need no rule. */
  readonly accepts: boolean
  /** The folder of the agent's notes, which it changes without a question. */
  readonly notes?: NotesFolder | undefined
}
