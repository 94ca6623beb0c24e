import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import type { Backend } from './backend.ts'
import type { Hub } from './live/hub.ts'
import type { ServedTasks } from './live/served-tasks.ts'
import type { PageFiles } from './routes/page-routes.ts'

/** The parts that all routes share. */
export interface AppParts {
  readonly backend: Backend
  /** The open sessions. */
  readonly hub: Hub
  readonly tasks: ServedTasks
  readonly clock: Clock
  readonly newId: NewId
  readonly random: () => number
  readonly token: string
  /** Absent: no page is served. */
  readonly page?: PageFiles | undefined
  /** Fires when the server begins to end. */
  readonly ending: AbortSignal
}
