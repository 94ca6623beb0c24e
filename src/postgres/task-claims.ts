import type { TaskClaims } from '../event-store.ts'
import type { DedicatedConnection } from './dedicated-connection.ts'

/** Creates claims that are locks of the database: they end with the connection that holds them. */
export function createTaskClaims(dedicated: DedicatedConnection): TaskClaims {
  return { claim: (taskId, { signal }) => dedicated.lock(`task ${taskId}`, signal) }
}
