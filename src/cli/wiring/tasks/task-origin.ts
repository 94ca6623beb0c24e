import { hasCode, isPipeError } from '../../../error.ts'
import type { WorkBundles } from '../../../event-store.ts'
import { findOrigin } from '../../../git/worktrees/origin.ts'
import type { TaskId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { TaskOptions } from '../../../task.ts'
import type { Machine } from '../../machine.ts'
import { withCommands } from '../with-commands.ts'
import { openWorktrees } from './task-worktrees.ts'

type Origin = Pick<TaskOptions, 'repo' | 'base' | 'folder'>

/** Describes from where a task that is created in this folder starts. Throws `aborted`, and `tool` if git takes too long. */
export function taskOrigin(machine: Machine, signal: AbortSignal): Promise<Origin> {
  return withCommands(machine, (commands) => findStart(machine, commands, signal))
}

/**
 * Describes the same for a new task of the user, and keeps uncommitted and untracked files as what it begins with. If that fails, it
 * begins with the last commit, with a warning. Throws `aborted`, and `tool` if git takes too long.
 */
export function openOrigin(taskId: TaskId, machine: Machine, signal: AbortSignal): Promise<Origin> {
  return withCommands(machine, async (commands) => {
    const start = await findStart(machine, commands, signal)
    if (start.base === undefined) return start
    try {
      const worktrees = await openWorktrees(machine, 'tasks', commands)
      return { ...start, base: (await worktrees.keep(taskId, { signal })) ?? start.base }
    } catch (error) {
      if (!isPipeError(error) || signal.aborted) throw error
      machine.warn(`the task starts from your last commit, without later changes: ${error.message}`)
      return start
    }
  })
}

/** Gives other machines the files that a task begins with, unless they are those of a commit. */
export function shareOrigin(
  { taskId }: { readonly taskId: TaskId },
  {
    bundles,
    machine,
    signal,
  }: { readonly bundles: WorkBundles; readonly machine: Machine; readonly signal: AbortSignal },
): Promise<void> {
  return withCommands(machine, async (commands) => {
    try {
      const worktrees = await openWorktrees(machine, 'tasks', commands)
      await bundles.put(taskId, await worktrees.bundle(taskId, { signal }), { signal })
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error
    }
  })
}

async function findStart(machine: Machine, commands: CommandRunner, signal: AbortSignal): Promise<Origin> {
  const { cwd, env, warn } = machine
  const origin = await findOrigin({ commands, cwd, searchPath: env['PATH'] ?? '', signal })
  const [root] = origin?.roots ?? []
  if (origin?.head === undefined || root === undefined) return { repo: cwd, folder: cwd }
  if (origin.isShallow)
    warn(
      'this repository is a shallow clone, so only workers in this folder or an equal clone can take the task',
    )
  return { repo: root, base: origin.head, folder: cwd }
}
