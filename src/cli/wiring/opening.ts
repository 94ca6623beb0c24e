import type { AgentDefinition } from '../../agent-definition.ts'
import type { Directories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { SessionStore } from '../../session.ts'
import type { ToolExecutor } from '../../tool.ts'
import type { Machine } from '../machine.ts'
import type { Choices } from './choices.ts'
import type { Closing } from './closing.ts'

/** Parts that a caller provides instead of the program's own, or in addition to them. */
export interface ForeignParts {
  /** Default: the sessions on disk. */
  readonly store?: SessionStore
  /** Tools besides the built-in ones. */
  readonly tools?: ToolExecutor
  /** Whether the model may see a file that the rules allow. Default: yes. */
  readonly mayRead?: (path: string) => boolean
}

/** Common inputs for opening the parts of a conversation. */
export interface Opening {
  readonly machine: Machine
  readonly choices: Choices
  readonly parts: ForeignParts
  /** The agent to work as. Its choices are in `choices` and `loaded` already. */
  readonly agent?: AgentDefinition
  readonly signal: AbortSignal
  readonly directories: Directories
  readonly loaded: LayeredSettings
  /** Collects the close steps of everything opened. */
  readonly closing: Closing
}
