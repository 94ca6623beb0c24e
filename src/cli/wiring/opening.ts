import type { Directories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { Closing } from './closing.ts'

/** Common inputs for opening the parts of a conversation. */
export interface Opening {
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
  /** A front end can put questions to a person. */
  readonly interactive: boolean
  readonly directories: Directories
  readonly loaded: LayeredSettings
  /** Collects the close steps of everything opened. */
  readonly closing: Closing
}
