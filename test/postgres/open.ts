import { systemIds } from '../../src/cli/host.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import { sessionFormat } from '../../src/json/sessions/session-format.ts'
import { eventFormat } from '../../src/json/tasks/format.ts'
import { openTaskDatabase, type TaskDatabase } from '../../src/postgres/task-database.ts'

export interface Choices {
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly warn?: (line: string) => void
  /** Default: there is none. */
  readonly passwordFile?: string
}

/** Opens the stores of a database as a process does. The caller closes them. */
export function openStores(
  url: string,
  { clock = systemClock, warn = () => undefined, passwordFile = '/nowhere/.pgpass' }: Choices = {},
): TaskDatabase {
  const formats = { events: eventFormat, sessions: sessionFormat }
  const shared = { url, passwordFile, clock, newId: systemIds(), warn, formats }
  return openTaskDatabase({ ...shared, pid: process.pid, host: 'here' })
}
