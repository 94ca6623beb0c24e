import type { Flags } from './flags.ts'
import type { Host } from './host.ts'
import type { Interruption } from './signals.ts'

/** One run of the program, for a command or a front end. */
export interface RunContext {
  /** Already moved to the folder of `-C`. */
  readonly host: Host
  readonly flags: Flags
  readonly interruption: Interruption
  /** Fires on interruption. */
  readonly signal: AbortSignal
}
