import type { Directories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Machine } from '../machine.ts'
import type { Choices } from './choices.ts'
import type { Closing } from './closing.ts'

/** Common inputs for opening the parts of a conversation. */
export interface Opening {
  readonly host: Machine
  readonly choices: Choices
  readonly signal: AbortSignal
  readonly directories: Directories
  readonly loaded: LayeredSettings
  /** Collects the close steps of everything opened. */
  readonly closing: Closing
}
