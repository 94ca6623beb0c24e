import type { AuditLog } from '../../../audit.ts'
import { findDirectories } from '../../../config/directories.ts'
import type { EventStore, TaskClaims, WorkBundles } from '../../../event-store.ts'
import { createTaskClaims } from '../../../json/tasks/claims.ts'
import { createEventStore, type EventStoreOptions } from '../../../json/tasks/event-store.ts'
import type { SessionLog, SessionStore } from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import type { TaskAuditOptions } from '../audit/task-audit.ts'
import { findTaskStore } from './task-store.ts'

/** The stores of tasks: files of this machine, or a database that several machines share. */
export interface TaskStores {
  readonly events: EventStore
  readonly claims: TaskClaims
  /** Absent where the work of tasks is on this machine alone. */
  readonly bundles?: WorkBundles | undefined
  /** Keeps long output of the commands of tasks for other machines. */
  readonly outputs?: WorkBundles | undefined
  /** Opens the sessions of tasks. With an attempt, writes of earlier attempts to a session are refused once it is opened. */
  sessions(options?: { readonly attempt?: number }): Promise<SessionStore>
  /** Opens the audit log of a session that the caller writes. Absent: it is a file beside those of other sessions. */
  openAudit?(session: SessionLog, options: TaskAuditOptions): AuditLog
  /** May be called any number of times. */
  close(): Promise<void>
}

/** Opens the events of all tasks, passes them on, and closes them. */
export function withTasks<Result>(
  machine: Machine,
  work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  return withTaskStores(machine, ({ events }) => work(events))
}

/** How to watch a log of tasks in files. A database tells its watchers itself. */
type WatchOptions = Pick<EventStoreOptions, 'untilNextLook'>

/** Opens all stores of tasks, passes them on, and closes them. Throws `config`. */
export async function withTaskStores<Result>(
  machine: Machine,
  work: (stores: TaskStores) => Promise<Result>,
  watching: WatchOptions = {},
): Promise<Result> {
  const stores = await openTaskStores(machine, watching)
  try {
    return await work(stores)
  } finally {
    await stores.close()
  }
}

/** Opens all stores of tasks where the user's settings say. The caller closes them. Throws `config`. */
export async function openTaskStores(machine: Machine, watching: WatchOptions = {}): Promise<TaskStores> {
  const url = await findTaskStore(machine)
  if (url !== undefined) return (await import('./open-task-database.ts')).openSharedTasks(machine, url)
  return openTaskFiles(machine, findDirectories(machine.env, machine.home).tasks, watching)
}

/** Opens all stores of tasks in a folder. Sessions are those of the user. */
export function openTaskFiles(
  machine: Machine,
  directory: string,
  { untilNextLook }: WatchOptions = {},
): TaskStores {
  const { clock, pid, hostname, warn } = machine
  const holder = { directory, clock, pid, host: hostname }
  const events = createEventStore({ ...holder, warn, untilNextLook })
  return {
    events,
    claims: createTaskClaims(holder),
    sessions: async () => (await import('../session-records.ts')).openSessions(machine),
    close: () => events.close(),
  }
}
