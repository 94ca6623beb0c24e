import { findDirectories } from '../../config/directories.ts'
import type { EventStore } from '../../event-store.ts'
import { createEventStore } from '../../json/tasks/event-store.ts'
import { TaskBoard } from '../../tasks/board.ts'
import type { Machine } from '../machine.ts'

/** Opens the events of all tasks, passes them on, and closes them. */
export async function withTasks<Result>(
  { env, home, clock, pid, hostname, warn }: Machine,
  work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const { tasks: directory } = findDirectories(env, home)
  const store = createEventStore({ directory, clock, pid, host: hostname, warn })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Folds all events into the board of tasks. */
export async function readBoard(store: EventStore, signal: AbortSignal): Promise<TaskBoard> {
  const board = new TaskBoard()
  for await (const event of store.readAll({ signal })) board.apply(event)
  return board
}
