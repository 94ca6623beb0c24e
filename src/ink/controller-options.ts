import type { Clock } from '../clock.ts'
import type { ConversationView, FrontendApi } from '../frontend/conversation-view.ts'
import type { Clipboard } from './clipboard-copy.ts'
import type { ThemeSetting } from './rows/theme.ts'
import type { Store } from './store.ts'

export interface ControllerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly view: ConversationView
  /** Default: there is none, and nothing is copied. */
  readonly clipboard?: Clipboard
  /** Hands the terminal to the shell and resolves when it is back. */
  readonly suspend: () => Promise<void>
  /** Lends the terminal to another program until `use` is over. Default: none can have it. */
  readonly lend?: (use: () => Promise<void>) => Promise<void>
  /** Draws the live rows anew. Default: nothing. */
  readonly redraw?: () => void
  /** Resolves when all pending finished rows are drawn. */
  readonly drained?: () => Promise<void>
  /** The user's setting of the colours. Default: `auto`. */
  readonly themeSetting?: ThemeSetting | undefined
}
