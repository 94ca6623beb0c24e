import { dirname, join } from 'node:path'
import { cacheFolder, findDirectories } from '../../../config/directories.ts'
import { submoduleNote } from '../../../config/trust/submodules.ts'
import { isPipeError } from '../../../error.ts'
import { followed } from '../../../files/real-path.ts'
import type { ProjectPlace } from '../../../git/project.ts'
import type { WorkKind } from '../../../git/worktrees/work-refs.ts'
import type { GitWorktrees } from '../../../git/worktrees/worktrees.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { Machine } from '../../machine.ts'
import { findProject } from '../session/open-checkpoints.ts'

/** Opens the worktrees of the project around the working folder, which a tool, a worker or a race makes. */
export async function openWorktrees(
  machine: Machine,
  kind: WorkKind,
  commands: CommandRunner,
): Promise<GitWorktrees> {
  const { GitWorktrees } = await import('../../../git/worktrees/worktrees.ts')
  return new GitWorktrees({ kind, warn: machine.warn, ...worktreePlace(machine, commands) })
}

/** Names the project around the working folder, and the folders that worktrees of it need. */
export function worktreePlace(machine: Machine, commands: CommandRunner): ProjectPlace {
  const { clock, env, home, hostname, pid } = machine
  const cwd = followed(machine.cwd)
  return {
    cwd,
    commands,
    clock,
    pid,
    root: findProject(machine) ?? cwd,
    folder: followed(join(cacheFolder(env, home), 'worktrees')),
    saved: join(dirname(findDirectories(env, home).sessions), 'worktrees'),
    home: followed(home),
    host: hostname,
    searchPath: env['PATH'] ?? '',
  }
}

/** Opens them, and removes folders that dead processes left. A folder that cannot be removed is only reported. */
export async function openSweptWorktrees(
  machine: Machine,
  {
    kind,
    commands,
    signal,
  }: { readonly kind: WorkKind; readonly commands: CommandRunner; readonly signal: AbortSignal },
): Promise<GitWorktrees> {
  const worktrees = await openWorktrees(machine, kind, commands)
  const empty = submoduleNote(machine.cwd, { isEmpty: false, where: 'in worktrees' })
  if (empty !== undefined) machine.warn(empty)
  await sweepWorktrees(worktrees, machine, { signal })
  return worktrees
}

/** Removes folders that dead processes left. A folder that cannot be removed is only reported. */
export async function sweepWorktrees(
  worktrees: Pick<GitWorktrees, 'sweep'>,
  { warn }: Pick<Machine, 'warn'>,
  options: Parameters<GitWorktrees['sweep']>[0],
): Promise<void> {
  try {
    await worktrees.sweep(options)
  } catch (error) {
    if (!isPipeError(error) || options.signal.aborted) throw error
    warn(`a worktree of an earlier run could not be removed: ${error.message}`)
  }
}
