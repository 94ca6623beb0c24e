import { isAbsolute } from 'node:path'
import { PipeError } from '../../../error.ts'
import type { TaskStores } from '../../wiring/tasks/open-tasks.ts'
import { readLibraryMachine } from '../library-machine.ts'
import { openBoard, type StoredBoard } from './stored-board.ts'

export interface TaskStoreOptions {
  /** Absolute folder for files, created on demand for its owner alone. Default: as the user's settings say, so that `pipe task` lists the same. */
  readonly files?: string | undefined
  /** URL of a database that several machines share: `postgres://user@host/name`. Passwords may stand in `.pgpass`. Not with `files`. */
  readonly postgres?: string | undefined
  /** Gets faults that stop nothing, such as a line that was cut by a crash. Default: nobody does. */
  readonly onWarning?: ((line: string) => void) | undefined
  /** Decides where the user's own tasks and sessions are, as for `openConversation`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** The events of tasks, what workers need besides, and the tasks that they add up to. */
export interface TaskStore extends TaskStores, AsyncDisposable {
  readonly board: StoredBoard
}

/** The parts of a store that a worker needs: the events at least. */
export type WorkerStore = Pick<TaskStores, 'events'> & Partial<Omit<TaskStores, 'events' | 'close'>>

/**
 * Opens a store of tasks, and creates what is missing. The caller closes it. Throws `usage` for options that do not fit, `config` for a
 * malformed URL or setting, `network` if the database cannot be reached, `input` if a newer version wrote it, `aborted`.
 */
export async function openTaskStore(options: TaskStoreOptions = {}): Promise<TaskStore> {
  const { signal = new AbortController().signal } = options
  const stores = await openStores(options)
  try {
    await stores.events.ensureSchema({ signal })
  } catch (error) {
    await stores.close()
    throw error
  }
  return { ...stores, board: openBoard(stores.events), [Symbol.asyncDispose]: () => stores.close() }
}

async function openStores({ files, postgres, ...options }: TaskStoreOptions): Promise<TaskStores> {
  const machine = readLibraryMachine(options, [])
  if (files !== undefined && postgres !== undefined)
    throw new PipeError('usage', 'openTaskStore takes either files or postgres')
  if (postgres !== undefined) {
    const { openSharedTasks } = await import('../../wiring/tasks/open-task-database.ts')
    return openSharedTasks(machine, postgres)
  }
  const { openTaskFiles, openTaskStores } = await import('../../wiring/tasks/open-tasks.ts')
  if (files === undefined) return openTaskStores(machine)
  if (!isAbsolute(files)) throw new PipeError('usage', `openTaskStore: files must be absolute, not ${files}`)
  return openTaskFiles(machine, files)
}
