import type { Clock } from '../../clock.ts'
import type { WorkspaceFiles } from '../../frontend/conversation-view.ts'
import { printable } from '../../terminal/printable.ts'

/** Most paths that are kept: more would take too long to search, and too much memory. */
const mostPaths = 200_000
/** Paths, from the top of the folder, among which the newest are looked for. */
const datedPaths = 500
/** Time in ms after which the paths are read again. */
const freshMs = 5_000

/** Paths that are taken before the time is looked at, and the time in ms after which keys get their turn. */
const pathsAtOnce = 50
const longestStretch = 3

export interface FileIndexOptions {
  readonly files: WorkspaceFiles
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Holds the paths of the files and folders of a conversation, relative to its folder. Those of folders end in `/`. */
export class FileIndex {
  readonly #options: FileIndexOptions
  #paths: readonly string[] = []
  #newest: readonly string[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(options: FileIndexOptions) {
    this.#options = options
  }

  /** All paths, as they were last read. */
  get paths(): readonly string[] {
    return this.#paths
  }

  /** The files last changed, the newest first. */
  get newest(): readonly string[] {
    return this.#newest
  }

  /** Whether there are no paths, or none were read yet. */
  get isEmpty(): boolean {
    return this.#paths.length === 0
  }

  /** Resolves when the paths that are being read now are known; `undefined` if none are. */
  get reading(): Promise<void> | undefined {
    return this.#reading
  }

  /** Whether the paths were never read, or some time ago. */
  get isStale(): boolean {
    return this.#options.clock.monotonic() - this.#readAt > freshMs
  }

  /** Reads the paths again, unless it already does. Resolves when it is done. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const { files, clock, signal } = this.#options
    const paths: string[] = []
    const folders = new Set<string>()
    const shallow: string[] = []
    let [count, since] = [0, clock.monotonic()]
    for await (const path of files.list(signal)) {
      if (++count % pathsAtOnce === 0 && clock.monotonic() - since > longestStretch) {
        // The walk may have found many at once.
        await clock.sleep(0, signal)
        since = clock.monotonic()
      }
      // A name that cannot be shown as it is would be taken for another one.
      if (path.includes('\n') || path.includes('\t') || printable(path) !== path) continue
      for (const folder of foldersAbove(path, folders)) paths.push(folder)
      paths.push(path)
      if (shallow.length < datedPaths) shallow.push(path)
      if (paths.length >= mostPaths) break
    }
    this.#newest = await files.newest(shallow, signal)
    this.#paths = paths
    this.#readAt = clock.monotonic()
  }
}

/** Returns the folders above a path that were not met before, and remembers them. */
function foldersAbove(path: string, met: Set<string>): readonly string[] {
  const added: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end + 1)
    if (met.has(folder)) break
    met.add(folder)
    added.push(folder)
  }
  return added
}
