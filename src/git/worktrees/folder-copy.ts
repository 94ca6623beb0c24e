import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { makeFolders } from '../../files/private-folder.ts'
import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { takeSnapshot } from '../tree/snapshot.ts'

/** The repository that the copied folder belongs to. */
export interface CopiedRepository {
  /** Its folder of objects. The copy reads them there, and writes its own elsewhere. */
  readonly objects: string
  readonly commit: string
  /** Absent on a detached HEAD. */
  readonly branch?: string | undefined
}

export interface FolderCopyOptions {
  /** Saves the files of the original. */
  readonly original: Shadow
  /** Saves the files of the copy, in a repository of its own. */
  readonly copy: Shadow
  /** A commit of the original's shadow. Default: the files as they are now. */
  readonly commit?: string | undefined
  /** Default: the copy is no repository. */
  readonly repository?: CopiedRepository | undefined
  readonly signal: AbortSignal
}

/** A copy of a folder's saved files, without ignored and very large ones. Its owner removes it. */
export interface FolderCopy {
  /** Id of the files that the copy began with, for `diff`. */
  readonly start: string
  /** Paths that are not in the copy, because they are too large or unreadable. */
  readonly leftOut: readonly string[]
  /** Returns the unified diff from a commit, or the copy's start, to the copy's files. Throws like `copyFolder`. */
  diff(from: string): Promise<string>
}

/** Copies a folder. Throws `aborted`, and `tool` if git is missing, there are too many files, or it takes longer than two minutes. */
export async function copyFolder({ signal, ...options }: FolderCopyOptions): Promise<FolderCopy> {
  const { commit, repository } = options
  const original = options.original.within(undoLimits.ms, signal)
  const copy = options.copy.within(undoLimits.ms, signal)
  mkdirSync(copy.root, { mode: 0o700 })
  const now =
    commit === undefined
      ? await original.exclusively(() => takeSnapshot(original, { limits: undoLimits, enters: () => true }))
      : undefined
  const start = commit ?? now?.tree ?? ''
  await copy.exclusively(async () => {
    borrowObjects(copy.path, join(original.path, 'objects'))
    await copy.git(['read-tree', start])
    await copy.git(['checkout-index', '--all', '--force', '--index', `--prefix=${copy.root}/`])
    if (repository !== undefined) await makeRepository(copy, repository)
  })
  return {
    start,
    leftOut: now?.leftOut ?? [],
    diff: (from) => diffFrom(from, options.copy.within(undoLimits.ms, signal)),
  }
}

function diffFrom(from: string, copy: Shadow): Promise<string> {
  return copy.exclusively(async () => {
    const { tree } = await takeSnapshot(copy, { limits: undoLimits })
    return copy.git(['diff', '--no-color', '--no-ext-diff', '--no-renames', from, tree])
  })
}

/** Makes a repository with the same history, whose commits, branches and settings are its own. It has no remotes and no hooks. */
async function makeRepository(copy: Shadow, { objects, commit, branch }: CopiedRepository): Promise<void> {
  const env = { GIT_DIR: join(copy.root, '.git') }
  await copy.git(['init', '--quiet', '--template='], { env })
  borrowObjects(env.GIT_DIR, objects)
  try {
    if (branch !== undefined) await copy.git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { env })
    await copy.git(['update-ref', 'HEAD', commit], { env })
    await copy.git(['read-tree', 'HEAD'], { env })
  } catch (error) {
    // The commit is gone, or in a format that this git does not know: the copy then has no history.
    if (!isPipeError(error) || error.details['reason'] !== 'exit') throw error
  }
}

function borrowObjects(repository: string, objects: string): void {
  makeFolders(join(repository, 'objects', 'info'), 0o700)
  writeFileSync(join(repository, 'objects', 'info', 'alternates'), `${objects}\n`)
}
