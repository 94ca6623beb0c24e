import { findOrigin } from '../../git/origin.ts'
import { createCommandRunner } from '../../process/command-runner.ts'
import type { TaskOptions } from '../../task.ts'
import type { Machine } from '../machine.ts'
import { projectFolders } from './project-folders.ts'

/** Describes from where a task that is created in this folder starts. Throws `aborted`, and `tool` if git takes too long. */
export async function taskOrigin(
  machine: Machine,
  signal: AbortSignal,
): Promise<Pick<TaskOptions, 'repo' | 'base' | 'folder'>> {
  const { cwd, env, clock, warn } = machine
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(machine) })
  try {
    const origin = await findOrigin({ commands, cwd, searchPath: env['PATH'] ?? '', signal })
    const [root] = origin?.roots ?? []
    if (origin?.head === undefined || root === undefined) return { repo: cwd, folder: cwd }
    if (origin.isShallow)
      warn('this repository is a shallow clone, so only workers in this folder or a like clone take the task')
    return { repo: root, base: origin.head, folder: cwd }
  } finally {
    await commands.close()
  }
}
