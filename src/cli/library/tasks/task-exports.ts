import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from './library-worker.ts'

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Takes tasks of a store and carries each out in a conversation of its own, until the signal fires or, with `once`, nothing is left to take.
 * A call that needs approval becomes the task's question: answer it, and a worker goes on. Throws `usage`, what the store throws, `budget`
 * once the money is spent, and `auth` or `config` if the usual model cannot be used; running tasks are handed back before.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { workerRunner } = await import('./library-worker.ts')
  return workerRunner(packageFolder)(options)
}

export type {
  AppendOptions,
  EventStore,
  Projection,
  SavedProjection,
  StoredEvent,
  TaskClaim,
  TaskClaims,
  WorkBundles,
} from '../../../event-store.ts'
export { overtaken, requireProjectionName } from '../../../event-store.ts'
export { boardProjection } from '../../../json/tasks/board-projection.ts'
export { eventFormat } from '../../../json/tasks/format.ts'
export type {
  ArtifactRef,
  AttemptOptions,
  SchedulerPolicy,
  TaskEvent,
  TaskEventType,
  TaskOptions,
  TaskPriority,
  TaskStatus,
  TaskView,
} from '../../../task.ts'
export { isOver } from '../../../task.ts'
export { reduceTask } from '../../../tasks/reducer.ts'
export { defaultSchedulerPolicy, readyTasks } from '../../../tasks/scheduler-policy.ts'
export type { StoredTask } from '../../../tasks/stored-task.ts'
export { nextStatus } from '../../../tasks/transition.ts'
export type { WorkerOptions } from './library-worker.ts'
export type { TaskStore, TaskStoreOptions, WorkerStore } from './open-task-store.ts'
export { openTaskStore } from './open-task-store.ts'
export type { NewTask, StoredBoard } from './stored-board.ts'
export { openBoard } from './stored-board.ts'
export type { WorkConversation } from './work-conversation.ts'
