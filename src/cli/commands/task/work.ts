import { hasCode, PipeError } from '../../../error.ts'
import { findOrigin } from '../../../git/worktrees/origin.ts'
import type { TaskId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { AppliedWork, ChangedFile, PortableWorktrees, WorktreeDiff } from '../../../machine/worktree.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isOver, type TaskView } from '../../../task.ts'
import { fetchWork } from '../../../tasks/task-folder.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { Machine } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { type TaskStores, withTaskStores } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { describeWorkPlace, isWorkHere } from '../../wiring/tasks/task-place.ts'
import { openWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import { withCommands } from '../../wiring/with-commands.ts'

/** Prints what a task has changed as a unified diff, with `--stat` a line per file, or as JSON. Throws `input`, `not_found`. */
export async function showDiff(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const { taskId, text, files } = await readWork(id, context)
  if (flags.format === 'json')
    host.stdout.write(`${printableJson({ task_id: taskId, files: files.map(encodeFile), diff: text })}\n`)
  else host.stdout.write(printable(flags.has('stat') ? files.map(statLine).join('') : text))
  if (files.length === 0 && flags.format !== 'json') printWarning(host, 'nothing has changed')
}

/** Reads what a task has changed. Throws `input`, `not_found`. */
export function readWork(id: string, here: Here): Promise<WorktreeDiff & { readonly taskId: TaskId }> {
  return withWork(id, here, async ({ task, worktrees }) => ({
    taskId: task.taskId,
    ...(await diffOf(task, worktrees, here.signal)),
  }))
}

/**
 * Merges what a task has changed into the files of this folder, all of it or nothing. Returns the exit code: 42 if it does not fit. Throws
 * `input`, `not_found`, and `conflict` for a task that is not done.
 */
export async function applyTaskWork(id: string, context: RunContext): Promise<number> {
  const { host, flags } = context
  const isJson = flags.format === 'json'
  const { taskId, applied, conflicts } = await mergeWork(id, context, flags.has('force'))
  if (isJson) host.stdout.write(`${printableJson({ task_id: taskId, applied, conflicts })}\n`)
  else host.stdout.write(printable(applied.map((path) => `applied: ${path}\n`).join('')))
  if (conflicts.length > 0) {
    printWarning(host, describeConflicts(conflicts))
    return 42
  }
  if (applied.length === 0 && !isJson) printWarning(host, nothingToApply)
  return 0
}

export const nothingToApply = 'nothing to apply'

/** Says why nothing was applied. */
export function describeConflicts(paths: readonly string[]): string {
  return `nothing was applied: your files have changed in the same places: ${paths.join(', ')}`
}

/**
 * Merges what a task has changed into the files of the working folder, all of it or nothing. Throws `input`, `not_found`, and `conflict`
 * for a task that is not done, unless forced.
 */
export function mergeWork(
  id: string,
  here: Here,
  isForced = false,
): Promise<Pick<AppliedWork, 'applied' | 'conflicts'> & { readonly taskId: TaskId }> {
  const { signal } = here
  return withWork(id, here, async ({ task, worktrees }) => {
    const { taskId, status } = task
    if (status !== 'done' && !isForced)
      throw new PipeError('conflict', `task ${taskId} is ${status}; --force applies what it has so far`)
    const isEmpty = (await diffOf(task, worktrees, signal)).files.length === 0
    if (isEmpty) return { taskId, applied: [], conflicts: [] }
    return { taskId, ...(await worktrees.apply(taskId, { signal })) }
  })
}

/** Forgets what a task has changed. Throws `input`, and `conflict` for a task that is not over. */
export async function discardWork(id: string, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  await withWork(id, context, async ({ task, worktrees, bundles, outputs }) => {
    const { taskId, status } = task
    if (!isOver(task))
      throw new PipeError('conflict', `task ${taskId} is ${status}; end it first with pipe task cancel`)
    await worktrees.discard(taskId, { signal })
    await bundles?.remove(taskId, { signal })
    await outputs?.remove(taskId, { signal })
    host.stdout.write(
      flags.format === 'json'
        ? `${printableJson({ task_id: taskId })}\n`
        : printable(`discarded: ${taskId}  ${task.title}\n`),
    )
  })
}

/** The machine, whatever front end it has. */
interface Here {
  readonly host: Machine
  readonly signal: AbortSignal
}

interface TaskWork extends Pick<TaskStores, 'bundles' | 'outputs'> {
  readonly task: TaskView
  readonly worktrees: PortableWorktrees
}

/** Finds a task of this repository, and brings its work here. */
function withWork<Result>(
  id: string,
  { host, signal }: Here,
  act: (work: TaskWork) => Promise<Result>,
): Promise<Result> {
  return withCommands(host, (commands) =>
    withTaskStores(host, async ({ events, bundles, outputs }) => {
      const task = (await readBoard(events, signal)).find(id)
      await requireRepository(task, { host, signal }, commands)
      const worktrees = await openWorktrees(host, 'tasks', commands)
      const isShared = bundles !== undefined
      const isHere = await isWorkHere(task, { machine: host, commands, isShared, signal })
      if (bundles === undefined && !isHere) throw new PipeError('input', describeWorkPlace(task))
      // The folder of a worker here is ahead of what the store keeps.
      const isAtWork = isHere && task.status === 'in_progress'
      if (bundles !== undefined && !isAtWork) await fetchWork(task.taskId, { worktrees, bundles }, signal)
      return act({ task, worktrees, bundles, outputs })
    }),
  )
}

/** Throws `input` if a task belongs to another repository than that of the working folder. */
async function requireRepository(
  { taskId, options }: TaskView,
  { host: { cwd, env }, signal }: Here,
  commands: CommandRunner,
): Promise<void> {
  const { repo, folder = repo } = options ?? {}
  const origin = await findOrigin({ commands, cwd, searchPath: env['PATH'] ?? '', signal })
  if (repo === undefined || repo === cwd || origin?.roots.includes(repo) === true) return
  throw new PipeError(
    'input',
    `task ${taskId} belongs to another repository; name its folder with -C: ${folder}`,
  )
}

/** Returns what a task has changed. Throws `input` for a task whose work is not kept, or not yet. */
async function diffOf(
  { taskId, status, worker, workFolder }: TaskView,
  worktrees: PortableWorktrees,
  signal: AbortSignal,
): Promise<WorktreeDiff> {
  try {
    return await worktrees.diff(taskId, { signal })
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    if (status !== 'done')
      throw new PipeError('input', `task ${taskId} is ${status}, and no work of it is saved`, {
        cause: error,
      })
    // Not by a worker, which saves its work in any case.
    if (worker === undefined) return { text: '', files: [] }
    const elsewhere = workFolder === undefined ? ', or it is in another clone' : ''
    throw new PipeError(
      'input',
      `the work of task ${taskId} is no longer kept: it was discarded${elsewhere}`,
      { cause: error },
    )
  }
}

function encodeFile({ path, added, removed }: ChangedFile): object {
  return { path, ...omitUndefined({ added, removed }) }
}

function statLine({ path, added, removed }: ChangedFile): string {
  return `${path}  ${added === undefined ? 'binary' : `+${added} -${removed}`}\n`
}
