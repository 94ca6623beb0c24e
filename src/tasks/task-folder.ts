import { isPipeError } from '../error.ts'
import type { TaskId } from '../id.ts'
import type { WorkBundles } from '../task-claims.ts'
import type { Worktree, Worktrees } from '../worktree.ts'

/** A folder in which a worker carries out one task. */
export interface TaskFolder {
  /** Real path. */
  readonly cwd: string
  /** Saves the work, also for other machines if the store keeps it for them. */
  save(options: { readonly signal: AbortSignal }): Promise<void>
  /** Removes the folder. The saved work stays. */
  remove(): Promise<void>
}

/** Opens the folders of tasks. */
export interface TaskFolders {
  /** Opens the folder of a task with the work saved last, or begins one. Throws what `Worktrees` throws, and `tool`. */
  open(task: TaskFolderRequest, options: { readonly signal: AbortSignal }): Promise<TaskFolder>
}

export interface TaskFolderRequest {
  readonly taskId: TaskId
  /** The commit to begin with. Default: the files as they are. */
  readonly base?: string
}

/** Moves saved work between machines. */
export interface WorkTransfer {
  readonly bundles: WorkBundles
  /** Packs the work saved under a ref. */
  pack(worktree: Worktree, options: { readonly signal: AbortSignal }): Promise<Uint8Array>
  /** Takes over packed work, so that `Worktrees.open` finds it. */
  unpack(taskId: TaskId, bundle: Uint8Array, options: { readonly signal: AbortSignal }): Promise<void>
}

export interface TaskFoldersOptions {
  readonly worktrees: Worktrees
  /** Absent if all workers share one machine. */
  readonly transfer?: WorkTransfer
  /** Prepares a folder for work, such as by installing packages. Throws `tool`. */
  readonly prepare?: (cwd: string, options: { readonly signal: AbortSignal }) => Promise<void>
}

/** Keeps the folders of tasks in worktrees. */
export function createTaskFolders(options: TaskFoldersOptions): TaskFolders {
  return { open: (task, { signal }) => openFolder(task, options, signal) }
}

async function openFolder(
  task: TaskFolderRequest,
  { worktrees, transfer, prepare }: TaskFoldersOptions,
  signal: AbortSignal,
): Promise<TaskFolder> {
  const { taskId } = task
  const bundle = await transfer?.bundles.get(taskId, { signal })
  if (transfer !== undefined && bundle !== undefined) await transfer.unpack(taskId, bundle, { signal })
  const worktree = await openOrCreate(task, worktrees, signal)
  await prepare?.(worktree.cwd, { signal })
  return {
    cwd: worktree.cwd,
    save: async (saving) => {
      const isChanged = await worktree.save(saving)
      if (transfer === undefined || !isChanged) return
      await transfer.bundles.put(taskId, await transfer.pack(worktree, saving), saving)
    },
    remove: () => worktree.remove(),
  }
}

async function openOrCreate(
  { taskId, base }: TaskFolderRequest,
  worktrees: Worktrees,
  signal: AbortSignal,
): Promise<Worktree> {
  try {
    return await worktrees.open(taskId, { signal })
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'not_found') throw error
  }
  return worktrees.create(taskId, { signal, ...(base === undefined ? {} : { base }) })
}
