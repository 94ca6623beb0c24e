import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import { isWithin } from '../machine/path.ts'
import { undoLimits } from './save-limits.ts'
import { Shadow } from './shadow.ts'
import { trackedFiles } from './tracked-files.ts'
import { pathsIn } from './tree/commit-tree.ts'
import { composeTree } from './tree/compose-tree.ts'
import { takeSnapshot } from './tree/snapshot.ts'
import { findRepository, type GitPlace, submodulesOf, type UserRepository } from './user-repository.ts'
import { RefStore } from './worktrees/work-refs.ts'

export interface ProjectPlace extends GitPlace {
  /** Real path of the user's working folder. */
  readonly cwd: string
  /** Real path of the folder to copy outside of git. */
  readonly root: string
  /** Holds the worktrees. */
  readonly folder: string
  /** Holds one repository a project, for what must not be in the user's. */
  readonly saved: string
  readonly home: string
  readonly clock: Clock
  readonly pid: number
  readonly host: string
}

/** The user's files, from which worktrees begin and into which work is merged. */
export interface Project {
  readonly root: string
  /** The working folder relative to the root; empty for the root itself. */
  readonly below: string
  /** Saves the user's files. Writes its objects to the user's repository if there is one. */
  readonly shadow: Shadow
  /** In the user's repository, or else in our own. */
  readonly refs: RefStore
  /** Absent outside of git. */
  readonly repository: UserRepository | undefined
  /** Saves the files as they are, and returns their tree. Files of these commits count as tracked. Call it in `shadow.exclusively`. */
  snapshot(commits: readonly string[]): Promise<string>
}

/** Files that a worktree leaves out are larger than this: 100 MiB. */
export const workLimits = { ...undoLimits, fileBytes: 100 * 1024 * 1024 }

/** Opens the project around the working folder. Throws `input` if it holds the home folder, `tool`, `aborted`. */
export async function openProject(place: ProjectPlace, signal: AbortSignal): Promise<Project> {
  const { cwd, folder, saved, commands, clock, pid, host, searchPath } = place
  const repository = await findRepository(cwd, place, signal)
  const root = repository?.root ?? place.root
  if (isWithin(place.home, root))
    throw new PipeError(
      'input',
      `${root} cannot be copied: it contains the home folder, which is too large; work in a project below it`,
    )
  const shadow = new Shadow({
    root,
    cwd,
    commands,
    clock,
    pid,
    host,
    searchPath,
    directory: join(saved, repository === undefined ? 'folders' : 'repositories'),
    keepOut: [folder, saved],
    ...(repository === undefined ? {} : { store: repository }),
  }).within(workLimits.ms, signal)
  const directory = repository?.common ?? shadow.path
  return {
    root,
    below: relative(root, cwd),
    shadow,
    refs: new RefStore({ directory, commands, searchPath, signal }),
    repository,
    snapshot: (commits) =>
      withNewIndex(shadow, () =>
        snapshot(shadow, { place: repository === undefined ? undefined : place, commits, signal }),
      ),
  }
}

/** Repeats work with a new index: objects that the old one names may have been collected as garbage. */
export async function withNewIndex<T>(shadow: Shadow, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'exit') throw error
    rmSync(join(shadow.path, 'index'), { force: true })
    return work()
  }
}

async function snapshot(
  shadow: Shadow,
  { place, commits, signal }: { readonly place: GitPlace | undefined } & Saving,
): Promise<string> {
  const { paths = [], submodules = [] } = place === undefined ? {} : ((await trackedFiles(shadow.root)) ?? {})
  const tracked = new Set(paths)
  for (const commit of commits) for (const path of await pathsIn(shadow, commit)) tracked.add(path)
  const { tree } = await takeSnapshot(shadow, { limits: workLimits, tracked })
  if (place === undefined || submodules.length === 0) return tree
  return composeTree(shadow, tree, await submodulesOf(shadow.root, place, signal))
}

interface Saving {
  readonly commits: readonly string[]
  readonly signal: AbortSignal
}
