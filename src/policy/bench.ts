import type { CommandReader } from '../command-line.ts'
import type { Rules } from './finding.ts'
import type { Paths } from './paths.ts'

/** What calls are judged by. */
export interface Bench {
  readonly rules: Rules
  readonly paths: Paths
  readonly reader: CommandReader
  readonly home: string
  /** Git may run what the repository's configuration says. */
  readonly trusted: boolean
  /** The setting of the repository by which a git that only reads would run a program. */
  readonly gitRuns: () => Promise<string | undefined>
  /** Returns the project's program that would run under this name. */
  readonly projectProgram: (name: string) => string | undefined
  /** What only reads, within the project, needs no rule. */
  readonly readsFreely: boolean
  /** Edits are accepted. */
  readonly accepts: boolean
}
