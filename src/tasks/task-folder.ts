import { hasCode } from '../error.ts'
import type { WorkBundles } from '../event-store.ts'
import type { SessionId, TaskId } from '../id.ts'
import type { PortableWorktrees, Worktree } from '../machine/worktree.ts'

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
  /** Of its conversation. */
  readonly sessionId: SessionId
  /** The commit to begin with. Default: the files as they are. */
  readonly base?: string | undefined
  /** Whether a worker on another machine, or in another clone, may have worked on it last. */
  readonly isFromElsewhere: boolean
}

export interface TaskFoldersOptions {
  readonly worktrees: PortableWorktrees
  /** Keeps work for other machines. Absent if all workers share this one. */
  readonly bundles?: WorkBundles | undefined
  /** Prepares a folder for work, such as by installing packages. Throws `tool`. */
  readonly prepare?: ((cwd: string, options: { readonly signal: AbortSignal }) => Promise<void>) | undefined
}

/** Keeps the folders of tasks in worktrees. */
export function createTaskFolders(options: TaskFoldersOptions): TaskFolders {
  return { open: (task, { signal }) => openFolder(task, options, signal) }
}

async function openFolder(
  task: TaskFolderRequest,
  { worktrees, bundles, prepare }: TaskFoldersOptions,
  signal: AbortSignal,
): Promise<TaskFolder> {
  const { taskId } = task
  let isKept = false
  const worktree = await openWorktree(task, { worktrees, bundles }, signal)
  await prepare?.(worktree.cwd, { signal })
  return {
    cwd: worktree.cwd,
    save: async (saving) => {
      const isChanged = await worktree.save(saving)
      if (bundles === undefined || (isKept && !isChanged)) return
      await bundles.put(taskId, await worktrees.bundle(taskId, saving), saving)
      isKept = true
    },
    remove: () => worktree.remove(),
  }
}

/** Opens the folder with the work saved last. What is here is newer than what the store keeps, unless another machine went on. */
async function openWorktree(
  task: TaskFolderRequest,
  options: Pick<TaskFoldersOptions, 'worktrees' | 'bundles'>,
  signal: AbortSignal,
): Promise<Worktree> {
  const { taskId, base, isFromElsewhere } = task
  const { worktrees, bundles } = options
  const here = isFromElsewhere ? undefined : await openIfThere(taskId, worktrees, signal)
  if (here !== undefined) return here
  if (bundles !== undefined) await fetchWork(taskId, { worktrees, bundles }, signal)
  const restored = await openIfThere(taskId, worktrees, signal)
  return restored ?? worktrees.create(taskId, { signal, base })
}

/** Takes over what the store keeps of a task's work, unless it is here. Never while a worker may be at work here. */
export async function fetchWork(
  taskId: TaskId,
  { worktrees, bundles }: Pick<TaskFoldersOptions, 'worktrees'> & { readonly bundles: WorkBundles },
  signal: AbortSignal,
): Promise<void> {
  const start = await bundles.start(taskId, { signal })
  if (start === undefined || (await worktrees.holds(taskId, start, { signal }))) return
  const bundle = await bundles.get(taskId, { signal })
  if (bundle !== undefined) await worktrees.restoreBundle(taskId, bundle, { signal })
}

async function openIfThere(
  taskId: TaskId,
  worktrees: PortableWorktrees,
  signal: AbortSignal,
): Promise<Worktree | undefined> {
  try {
    return await worktrees.open(taskId, { signal })
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    return undefined
  }
}
