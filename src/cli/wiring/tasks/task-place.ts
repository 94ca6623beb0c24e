import { isPipeError } from '../../../error.ts'
import { look } from '../../../files/look.ts'
import { followed } from '../../../files/real-path.ts'
import { findRepository } from '../../../git/user-repository.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { TaskView } from '../../../task.ts'
import { isOnHost } from '../../../tasks/attempt.ts'
import type { Machine } from '../../machine.ts'
import { openWorktrees } from './task-worktrees.ts'

interface Here {
  readonly machine: Machine
  readonly commands: CommandRunner
  /** Whether several machines share the tasks. */
  readonly isShared: boolean
  readonly signal: AbortSignal
}

/** Whether the repository of the working folder keeps what the last attempt at a task has saved. True before the first attempt. */
export async function isWorkHere(task: TaskView, here: Here): Promise<boolean> {
  const { worker, workFolder } = task
  const { machine, isShared } = here
  if (worker === undefined) return true
  if (isShared && !isOnHost(worker, machine.hostname)) return false
  // Events of earlier versions name no folder.
  if (workFolder === undefined || workFolder === followed(machine.cwd)) return true
  if (isFolder(workFolder)) return isSameRepository(workFolder, here)
  // The folder may have been moved here.
  const worktrees = await openWorktrees(machine, 'tasks', here.commands)
  return worktrees.hasChanges(task.taskId, here)
}

/** Says in which folder the work of a task is, if it is not here. */
export function describeWorkPlace({ taskId, worker, workFolder = '' }: TaskView): string {
  return isFolder(workFolder)
    ? `the work of task ${taskId} is in another clone; name its folder with -C: ${workFolder}`
    : `the work of task ${taskId} was in ${workFolder}, which is no longer here (${worker}); to start again: pipe task retry`
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true
}

async function isSameRepository(
  folder: string,
  { machine: { cwd, env }, commands, signal }: Here,
): Promise<boolean> {
  const place = { commands, searchPath: env['PATH'] ?? '' }
  const ours = await findRepository(followed(cwd), place, signal)
  try {
    const there = await findRepository(folder, place, signal)
    return there !== undefined && there.common === ours?.common
  } catch (error) {
    // What is there now cannot be read, or is no project any more.
    if (!isPipeError(error) || signal.aborted) throw error
    return false
  }
}
