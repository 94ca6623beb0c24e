import { systemClock } from '../../src/cli/clock.ts'
import { systemIds } from '../../src/cli/host.ts'
import type { Clock } from '../../src/clock.ts'
import { sessionFormat } from '../../src/json/session-format.ts'
import { eventFormat } from '../../src/json/tasks/format.ts'
import { openTaskDatabase, type TaskDatabase } from '../../src/postgres/task-database.ts'

export interface Choices {
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly warn?: (line: string) => void
}

/** Opens the stores of a database as a process does. The caller closes them. */
export function openStores(
  url: string,
  { clock = systemClock, warn = () => undefined }: Choices = {},
): TaskDatabase {
  const formats = { events: eventFormat, sessions: sessionFormat }
  return openTaskDatabase({ url, clock, newId: systemIds(), pid: process.pid, host: 'here', warn, formats })
}
