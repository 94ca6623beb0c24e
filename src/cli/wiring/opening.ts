import type { Directories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { Closing } from './closing.ts'

/** What the parts of a conversation are opened with. */
export interface Opening {
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
  /** A person sits at a front end that puts questions to them. */
  readonly interactive: boolean
  readonly directories: Directories
  readonly loaded: LayeredSettings
  /** Takes the closing of whatever is opened. */
  readonly closing: Closing
}
