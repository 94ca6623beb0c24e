import type { Clock } from '../../clock.ts'
import type { ConversationView, FrontendApi } from '../../frontend/conversation-view.ts'
import type { Store } from '../store.ts'

export interface ShownOptions {
  readonly view: ConversationView
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  /** Resolves when all pending finished rows are drawn. */
  readonly drained: (() => Promise<void>) | undefined
  /** Shows a note to the user. */
  readonly note: (level: 'info' | 'error', text: string) => void
  /** Called after a turn that nobody stopped ended with words of the model, which in plan mode are its plan. */
  readonly planned: () => void
  /** Receives internal errors, and the reason why the conversation is gone for good. */
  readonly fail: (error: unknown) => void
}
