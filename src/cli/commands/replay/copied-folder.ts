import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { cacheFolder } from '../../../config/directories.ts'
import { objectsFolder, readBranch, readCommit } from '../../../config/git-head.ts'
import { PipeError } from '../../../error.ts'
import { promises } from '../../../files/lazy-fs.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { removeTree } from '../../../files/writing/remove-tree.ts'
import type { Shadow } from '../../../git/shadow.ts'
import { copyFolder, type FolderCopy } from '../../../git/worktrees/folder-copy.ts'
import { isWithin } from '../../../machine/path.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import type { Move } from '../../../replay/relocated.ts'
import type { Machine } from '../../machine.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import { findProject, shadowOf } from '../../wiring/session/open-checkpoints.ts'

/** A throwaway copy of a project, with the machine whose working folder is in it. */
export interface CopiedFolder extends Pick<FolderCopy, 'start' | 'leftOut' | 'diff'> {
  readonly machine: Machine
  /** From the project to the copy. */
  readonly move: Move
}

/** The project of this machine, and the place of its copy. */
export interface CopySource {
  readonly shadow: Shadow
  /** Makes the copy from a commit of the shadow. Default: the files as they are now. */
  copy(commit: string | undefined): Promise<CopiedFolder>
  /** Removes the copy, if it was made. */
  close(): Promise<void>
}

/**
 * Opens the project around the working folder. The copy is removed even if this process is killed. Throws `input` in a folder that
 * holds the home folder.
 */
export async function openCopySource(machine: Machine, signal: AbortSignal): Promise<CopySource> {
  const { clock, cwd, env, home, newId } = machine
  const root = findProject(machine)
  if (root === undefined)
    throw new PipeError(
      'input',
      `${cwd} cannot be copied: it contains the home folder, which is too large; replay a session of a project below it`,
    )
  const place = join(cacheFolder(env, home), 'replay', newId.message())
  if (isWithin(place, root))
    throw new PipeError('input', `the copy of ${root} would be in it, at ${place}; set XDG_CACHE_HOME`)
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(machine), scratch: place })
  const shadow = await shadowOf(root, machine, commands)
  return {
    shadow,
    copy: async (commit) => {
      // Announces the folder to the watchdog before it is made.
      commands.prepare()
      const folder = join(place, 'copy')
      makePrivateFolder(folder)
      const to = join(folder, basename(root))
      const inside = join(to, relative(root, cwd))
      // A repository around the cache is not that of the project.
      const moved: Machine = {
        ...machine,
        cwd: inside,
        added: [],
        env: { ...env, GIT_CEILING_DIRECTORIES: folder },
      }
      const made = await copyFolder({
        original: shadow,
        copy: await shadowOf(to, moved, commands, join(place, 'saved')),
        signal,
        commit,
        repository: repositoryOf(root),
      })
      await promises().mkdir(inside, { recursive: true })
      return { ...made, machine: moved, move: { from: root, to } }
    },
    close: async () => {
      try {
        await removeTree(place)
      } finally {
        await commands.close()
      }
    },
  }
}

function repositoryOf(root: string) {
  const commit = existsSync(join(root, '.git')) ? readCommit(root) : undefined
  if (commit === undefined) return undefined
  return { objects: objectsFolder(root), commit, branch: readBranch(root) }
}
