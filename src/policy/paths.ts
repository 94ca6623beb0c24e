import { isWithin, resolvePath } from '../path.ts'

/** What is asked about beside what its name protects. Absolute paths; where one is a link, also what it leads to. */
export interface OwnPlaces {
  /** Folders of pipe's settings and records. */
  readonly folders: readonly string[]
  /** Files of keys. */
  readonly keys: readonly string[]
  /** What links in protected folders lead to. */
  readonly targets: readonly string[]
}

/** Where paths lead, and which of them are the project's. */
export interface Paths {
  readonly cwd: string
  /** Folders in which files may be read, and edited where edits are accepted; `cwd` among them. */
  readonly roots: readonly string[]
  own(): OwnPlaces
  /** As it is written and as it is once every symlink is followed. */
  both(path: string): Promise<readonly [written: string, real: string]>
  /** Whether all of them lie in the project or a folder that was added to it. */
  isInside(paths: readonly string[]): Promise<boolean>
  /** What is in a folder, by its real path: the first `most` entries; none where there is no folder. */
  list(folder: string, most: number): Promise<readonly FolderEntry[]>
  isFolder(path: string): Promise<boolean>
  /** What the repository around a folder tracks, by its real path; `undefined` outside of one. */
  tracked(folder: string): Promise<TrackedFiles | undefined>
}

/** What a repository tracks. */
interface TrackedFiles {
  /** The folder that its paths begin at: absolute, without symlinks. */
  readonly root: string
  /** `undefined` where they cannot be told. */
  readonly paths?: readonly string[]
}

/** What the repository around a folder tracks; `undefined` outside of one. */
export type ReadTracked = (folder: string) => Promise<TrackedFiles | undefined>

/** What stands in a folder. */
interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
  readonly isFolder: boolean
}

/** The first `most` entries of a folder; `undefined` for what is none, or may not be read. */
export type ListFolder = (path: string, most: number) => Promise<readonly FolderEntry[] | undefined>

export interface PathsOptions {
  readonly cwd: string
  readonly home: string
  /** Folders in which files may be read, and edited where edits are accepted; `cwd` among them. Absolute. */
  readonly roots: readonly string[]
  readonly own: () => OwnPlaces
  /** Follows every symlink, also where the end of the path does not exist. */
  readonly realPath: (path: string) => Promise<string>
  readonly listFolder: ListFolder
  /** Default: there are no repositories. */
  readonly trackedFiles?: ReadTracked
}

export function createPaths(options: PathsOptions): Paths {
  const { cwd, home, roots, own, realPath, listFolder, trackedFiles } = options
  let realRoots: Promise<readonly string[]> | undefined
  let places: OwnPlaces | undefined
  const follow = async (path: string) => {
    try {
      return await realPath(path)
    } catch {
      // Links in a circle, a folder that may not be searched: nobody gets anywhere by it.
      return path
    }
  }
  return {
    cwd,
    roots,
    own: () => {
      places ??= own()
      return places
    },
    both: async (path) => {
      const written = resolvePath(path, { cwd, home })
      return [written, await follow(written)]
    },
    isInside: async (paths) => {
      realRoots ??= Promise.all(roots.map(follow))
      const all = [...roots, ...(await realRoots)]
      return paths.every((path) => all.some((root) => isWithin(path, root)))
    },
    list: async (folder, most) => (await listFolder(folder, most)) ?? [],
    isFolder: async (path) => (await listFolder(path, 1)) !== undefined,
    tracked: async (folder) => trackedFiles?.(folder),
  }
}
