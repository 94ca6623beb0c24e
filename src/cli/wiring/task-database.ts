import { eventFormat } from '../../json/tasks/format.ts'
import { openTaskDatabase, type TaskDatabase } from '../../postgres/task-database.ts'
import type { Machine } from '../machine.ts'

/** Opens the stores of tasks in a database. Its own file, so that the driver is loaded only where a store names one. */
export function openSharedTasks({ clock, newId, warn }: Machine, url: string): TaskDatabase {
  return openTaskDatabase({ url, clock, newId, warn, formats: { events: eventFormat } })
}
