import { PipeError } from '../../../error.ts'
import type { StoredEvent } from '../../../event-store.ts'
import { followed } from '../../../files/real-path.ts'
import { judgeTurn } from '../../../line/outcome.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { SchedulerPolicy, TaskView } from '../../../task.ts'
import { defaultSchedulerPolicy } from '../../../tasks/scheduler-policy.ts'
import { createTaskFolders, type TaskFolders } from '../../../tasks/task-folder.ts'
import { carryOutTasks } from '../../../tasks/worker.ts'
import type { Machine } from '../../machine.ts'
import { openWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import { withCommands } from '../../wiring/with-commands.ts'
import { readLibraryMachine } from '../library-machine.ts'
import type { WorkerStore } from './open-task-store.ts'
import { createProcessClaims } from './process-claims.ts'
import { taskConversations, type WorkConversation } from './work-conversation.ts'

export interface WorkerOptions {
  /** A store of `openTaskStore`, or `{ events }` of your own: then workers of one process share no task, and those of several may. */
  readonly store: WorkerStore
  /** Options of the tasks' conversations, or a function that returns those of a task. Default: as the user's settings say. */
  readonly conversation?: WorkConversation | ((task: TaskView) => WorkConversation)
  /** The working folder, a real one. Default: that of the process. */
  readonly cwd?: string
  /** Gives each task a git worktree of its own, as `pipe worker` does, or none: all work in `cwd`. Default: `none`. */
  readonly isolation?: 'worktree' | 'none'
  /** Sorts the tasks, the next one first. Default: `defaultSchedulerPolicy`. */
  readonly policy?: SchedulerPolicy
  /** Whether to take such tasks, asked once a task. Default: all are taken. */
  readonly accepts?: (task: TaskView) => boolean
  /** Tasks at once. Default: 1. */
  readonly slots?: number
  /** Whether to end when nothing is left to take. Default: false, which waits for more until the signal fires. */
  readonly once?: boolean
  /** US dollars of all tasks together, counting known prices only. Default: no limit. */
  readonly maxCostUsd?: number
  /** Gets each event that the worker appends. */
  readonly onEvent?: (event: StoredEvent, task: TaskView) => void
  /** Gets faults that stop nothing, with the task that they are about. */
  readonly onWarning?: (line: string, task: TaskView) => void
  /** Gets the error each time that the store cannot be reached: the worker waits, and goes on. */
  readonly onOffline?: (error: PipeError) => void
  /** Ends the worker: rounds have 10 s to end, and what is not done is handed back for another worker. */
  readonly signal?: AbortSignal
  /** As for `openConversation`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Returns what runs workers from the package in this folder. A worker takes tasks and carries each out in a conversation of its own. A call
 * that needs approval becomes the task's question: answer it, and a worker goes on. Throws `usage`, what the store throws, `budget` once
 * the money is spent, and `auth` or `config` if the usual model cannot be used; running tasks are handed back before.
 */
export function workerRunner(packageFolder: string) {
  return async (options: WorkerOptions): Promise<void> => {
    const { store, cwd, env, signal = new AbortController().signal, slots = 1 } = options
    if (!Number.isInteger(slots) || slots < 1)
      throw new PipeError('usage', `runWorker: slots must be a whole number above 0, not ${slots}`)
    const place = { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) }
    const machine = readLibraryMachine(place, [], () => packageFolder)
    await store.events.ensureSchema({ signal })
    await withCommands(machine, (commands) => work(options, { machine, commands, signal }))
  }
}

interface WorkerParts {
  readonly machine: Machine
  readonly commands: CommandRunner
  readonly signal: AbortSignal
}

async function work(options: WorkerOptions, parts: WorkerParts): Promise<void> {
  const { store, conversation = {}, policy = defaultSchedulerPolicy, slots = 1, once = false } = options
  const { accepts = () => true, isolation = 'none', maxCostUsd, onEvent, onWarning, onOffline } = options
  const { machine, signal } = parts
  const { clock, newId, pid, hostname: host } = machine
  const isApart = isolation === 'worktree'
  await carryOutTasks(
    {
      store: store.events,
      claims: store.claims ?? createProcessClaims(),
      clock,
      newId,
      pid,
      host,
      policy,
      accepts,
      slots,
      once,
      maxCostUsd,
      folder: followed(machine.cwd),
      isHere: async () => true,
      judge: (turn) => judgeTurn(turn, undefined),
      folders: isApart ? await worktreeFolders(store, parts) : sharedFolder(machine.cwd),
      open: taskConversations({
        machine,
        isApart,
        store,
        optionsOf: typeof conversation === 'function' ? conversation : () => conversation,
      }),
      warn: (task, line) => onWarning?.(line, task),
      onAppend: (event, task) => onEvent?.(event, task),
      ...(onOffline === undefined ? {} : { onOffline }),
    },
    signal,
  )
}

/** Carries out all tasks in one folder. */
function sharedFolder(cwd: string): TaskFolders {
  return { open: async () => ({ cwd, save: async () => undefined, remove: async () => undefined }) }
}

async function worktreeFolders(
  { bundles }: WorkerStore,
  { machine, commands, signal }: WorkerParts,
): Promise<TaskFolders> {
  const worktrees = await openWorktrees(machine, 'tasks', commands)
  await worktrees.sweep({ signal })
  return createTaskFolders({ worktrees, bundles })
}
