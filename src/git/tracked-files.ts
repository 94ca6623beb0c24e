import { dirname, join, resolve } from 'node:path'
import { promises } from '../files/lazy-fs.ts'
import { systemCode } from '../files/system-error.ts'
import { type IndexPaths, indexPaths } from './tree/index-paths.ts'

/** The paths that a repository tracks; absent if they cannot be read. */
interface TrackedFiles extends Partial<IndexPaths> {
  /** The folder that the paths are relative to. Absolute. */
  readonly root: string
}

/** The largest index to read, in bytes: some 400,000 files take a quarter of a second, and a rule half a second more. */
const largestIndex = 50_000_000

/** The largest `.git` file to read, in bytes: it holds one path. */
const largestPointer = 64 * 1024

/**
 * The files tracked by the repository around a folder, read from its index without running git. Returns `undefined` outside a
 * repository. `folder` is absolute and without symlinks.
 */
export async function trackedFiles(folder: string): Promise<TrackedFiles | undefined> {
  for (let root = folder; ; root = dirname(root)) {
    const git = await gitFolder(root)
    if (git !== undefined) return { root, ...(await pathsOf(git)) }
    if (await isBare(root)) return { root }
    if (root === dirname(root)) return undefined
  }
}

/** The git folder of this work tree. */
async function gitFolder(root: string): Promise<string | undefined> {
  const git = join(root, '.git')
  const found = await unlessRefused(promises().stat(git))
  if (found === undefined) return undefined
  if (found.isDirectory()) return (await has(git, 'HEAD')) ? git : undefined
  const isPointer = found.isFile() && found.size <= largestPointer
  const text = isPointer ? await unlessRefused(promises().readFile(git, 'utf8')) : undefined
  return resolve(root, /^gitdir: *(.+)$/m.exec(text ?? '')?.[1]?.trim() ?? git)
}

async function pathsOf(git: string): Promise<IndexPaths | undefined> {
  const index = join(git, 'index')
  const found = await unlessRefused(promises().stat(index))
  if (found === undefined) return (await isNew(git)) ? { paths: [], submodules: [] } : undefined
  if (!found.isFile() || found.size > largestIndex) return undefined
  const bytes = await unlessRefused(promises().readFile(index))
  return bytes && indexPaths(bytes)
}

/** Whether a repository has no commits: it has no branch yet. */
async function isNew(git: string): Promise<boolean> {
  const branches = await unlessRefused(promises().readdir(join(git, 'refs', 'heads')))
  return branches?.length === 0 && !(await has(git, 'packed-refs'))
}

/** Whether this is a bare repository or the git folder of a work tree. */
async function isBare(folder: string): Promise<boolean> {
  return (await has(folder, 'HEAD')) && (await has(folder, 'objects')) && (await has(folder, 'refs'))
}

async function has(folder: string, name: string): Promise<boolean> {
  return (await unlessRefused(promises().lstat(join(folder, name)))) !== undefined
}

/** Returns `undefined` for a path that does not exist or is not accessible. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
