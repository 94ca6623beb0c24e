import { isWithin, resolvePath } from '../../machine/path.ts'

/** Paths that need approval besides the protected names. Absolute. Lists the target of a symlink, too. */
export interface OwnPlaces {
  /** Folders with pipe's settings and records. */
  readonly folders: readonly string[]
  /** Files that hold keys. */
  readonly keys: readonly string[]
  /** Files and folders that hold memories. */
  readonly memories: readonly string[]
  /** Targets of symlinks in protected folders. */
  readonly targets: readonly string[]
}

/** Resolves paths and knows which belong to the project. */
export interface Paths {
  readonly cwd: string
  /** Folders whose files may be read, and edited if edits are accepted. Includes `cwd`. */
  readonly roots: readonly string[]
  own(): OwnPlaces
  /** The path as written and with every symlink followed. */
  both(path: string): Promise<readonly [written: string, real: string]>
  /** Whether all paths lie in the project or in a folder added to it. */
  isInside(paths: readonly string[]): Promise<boolean>
  /** Whether all paths lie there, or in a folder that may only be read. */
  isReadable(paths: readonly string[]): Promise<boolean>
  /** The first `most` entries of a folder, by its real path. Empty if there is no such folder. */
  list(folder: string, most: number): Promise<readonly FolderEntry[]>
  isFolder(path: string): Promise<boolean>
  /** The tracked files of the repository around a folder, by its real path; `undefined` outside a repository. */
  tracked(folder: string): Promise<TrackedFiles | undefined>
}

interface TrackedFiles {
  /** The folder that the paths are relative to. Absolute, without symlinks. */
  readonly root: string
  /** `undefined` if git cannot list them. */
  readonly paths?: readonly string[]
}

interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
  readonly isFolder: boolean
}

export interface PathsOptions {
  /** Absolute, a real path. */
  readonly cwd: string
  readonly home: string
  /** Folders besides `cwd` whose files may be read, and edited if edits are accepted. Absolute. Default: none. */
  readonly roots?: readonly string[]
  /** Returns more folders whose files may be read, with their symlinks followed too. Default: none. */
  readonly readable?: () => readonly string[]
  /** Paths whose changes need approval, and key files whose reading does. Called once, at the first call. Default: none. */
  readonly own?: () => OwnPlaces
  /** Follows every symlink of a path, even if its end does not exist. */
  readonly realPath: (path: string) => Promise<string>
  /** Returns the first `most` entries of a folder; `undefined` if it is no folder or cannot be read. */
  readonly listFolder: (path: string, most: number) => Promise<readonly FolderEntry[] | undefined>
  /**
   * Reads the tracked files of the repository around a folder; `undefined` outside a repository. Called if git shows file
   * contents and a rule is about reading files. Default: there are no repositories.
   */
  readonly trackedFiles?: (folder: string) => Promise<TrackedFiles | undefined>
}

export function createPaths(options: PathsOptions): Paths {
  const { cwd, home, own, realPath, listFolder, trackedFiles, readable } = options
  const roots = [cwd, ...(options.roots ?? [])]
  let realRoots: Promise<readonly string[]> | undefined
  let places: OwnPlaces | undefined
  const follow = async (path: string) => {
    try {
      return await realPath(path)
    } catch {
      // A symlink loop or an unsearchable folder: no command can follow the path either.
      return path
    }
  }
  const allRoots = async () => {
    realRoots ??= Promise.all(roots.map(follow))
    return [...roots, ...(await realRoots)]
  }
  const isIn = (paths: readonly string[], folders: readonly string[]) =>
    paths.every((path) => folders.some((folder) => isWithin(path, folder)))
  return {
    cwd,
    roots,
    own: () => {
      places ??= own?.() ?? { folders: [], keys: [], memories: [], targets: [] }
      return places
    },
    both: async (path) => {
      const written = resolvePath(path, { cwd, home })
      return [written, await follow(written)]
    },
    isInside: async (paths) => isIn(paths, await allRoots()),
    isReadable: async (paths) => {
      const all = await allRoots()
      return isIn(paths, all) || (readable !== undefined && isIn(paths, [...all, ...readable()]))
    },
    list: async (folder, most) => (await listFolder(folder, most)) ?? [],
    isFolder: async (path) => (await listFolder(path, 1)) !== undefined,
    tracked: async (folder) => trackedFiles?.(folder),
  }
}
