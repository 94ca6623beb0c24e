import { copyFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { isPipeError } from '../../error.ts'
import { entryNames } from '../../files/look.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { systemCode } from '../../files/system-error.ts'
import { removeTree } from '../../files/writing/remove-tree.ts'
import type { RefStore } from './work-refs.ts'

interface Registering {
  /** The folder to make: it must not exist. */
  readonly root: string
  readonly commit: string
  /** The branch that it is on, and whether it is made at that commit. Default: none, its HEAD is detached. */
  readonly branch?: { readonly name: string; readonly isNew: boolean }
  readonly clock: Clock
  readonly signal: AbortSignal
}

const mostTries = 20
const pauseMs = 50

/**
 * Makes an empty worktree of the repository. Waits for other programs that make or remove some at the same time.
 * Throws what `runGit` throws.
 */
export async function register(
  refs: RefStore,
  { root, commit, branch, clock, signal }: Registering,
): Promise<void> {
  const head = branch === undefined ? ['--detach'] : branch.isNew ? ['-b', branch.name] : []
  const target = branch?.isNew === false ? branch.name : commit
  for (let tries = 1; ; tries++) {
    try {
      await refs.git(['worktree', 'add', '--force', '--no-checkout', ...head, '--', root, target])
      return
    } catch (error) {
      if (tries === mostTries || !isPipeError(error) || !contention.test(error.message)) throw error
      if (tries > mostTries / 2) await removeCut(error.message)
    }
    await clock.sleep(pauseMs * tries, signal)
  }
}

/** The last user's removal may take away the folder `worktrees` in between. */
const contention =
  /could not create (leading )?director|could not create work tree dir|unable to create|cannot lock|failed to read .*commondir/i

/** Removes a worktree that a killed git has registered in part: it stops git from making any other. */
async function removeCut(message: string): Promise<void> {
  const [, folder] = /failed to read (\/.+\/worktrees\/[^/]+)\/commondir/.exec(message) ?? []
  if (folder === undefined || readIfThere(join(folder, 'commondir'))?.length !== 0) return
  await removeTree(folder)
}

/** Gives the worktree an index, so that git takes its files for unchanged. */
export function giveIndex(common: string, root: string, index: string): void {
  const folder = registrationOf(common, root)
  if (folder !== undefined) copyFileSync(index, join(folder, 'index'))
}

/** Makes the repository forget a worktree. Does not read the worktree: whoever worked in it may have changed it. */
export async function unregister(common: string, root: string): Promise<void> {
  const folder = registrationOf(common, root)
  if (folder === undefined) return
  await removeTree(folder)
  try {
    rmdirSync(join(common, 'worktrees'))
  } catch (error) {
    // Others are left.
    if (systemCode(error) === undefined) throw error
  }
}

/** Finds the folder by which a repository knows a worktree. */
export function registrationOf(common: string, root: string): string | undefined {
  const parent = join(common, 'worktrees')
  for (const name of entryNames(parent)) {
    const pointer = readIfThere(join(parent, name, 'gitdir'))
      ?.toString()
      .trim()
    if (pointer === join(root, '.git')) return join(parent, name)
  }
  return undefined
}
