import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { look } from '../files/look.ts'
import { systemCode } from '../files/system-error.ts'

/** Other sandboxes search to the same depth. */
const mostLevels = 3
/** A walk takes about 25 µs per folder, and a fifth of that if nothing has changed. */
const mostFolders = 1_000
/** Each result needs one or two mounts, and every mount slows down the next. */
const mostFound = 64
/** Two changes within this time may leave a folder with the same timestamp. */
const tickMs = 50

/** Returns the absolute paths of existing entries with the wanted names, in a folder and up to three levels below. */
export type NameFinder = (root: string) => readonly string[]

/** The result of the last search of a root. */
interface Seen {
  readonly found: ReadonlySet<string>
  readonly listings: ReadonlyMap<string, Listing>
}

interface Listing {
  readonly changedMs: number
  readonly dev: number
  readonly ino: number
  readonly found: readonly string[]
  readonly folders: readonly string[]
}

/**
 * Finds up to 64 paths: earlier results that still exist, so that new entries cannot push them out, then the nearest in the first
 * 1,000 folders. Skips links, `node_modules` and the contents of results; reads unchanged folders only once.
 */
export function nameFinder(names: readonly string[], clock: Pick<Clock, 'now'>): NameFinder {
  const wanted = new Set(names)
  const known = new Map<string, Seen>()
  return (root) => {
    // Take the time first: later changes might not show in the timestamps.
    const startMs = clock.now()
    const before = known.get(root)
    const found = new Set([...(before?.found ?? [])].filter((path) => isStillIn(root, path)))
    const listings = new Map<string, Listing>()
    let level = [root]
    for (let depth = 0; depth <= mostLevels && listings.size < mostFolders; depth++) {
      const below: string[] = []
      for (const folder of level.slice(0, mostFolders - listings.size)) {
        const listing = list(folder, wanted, before?.listings.get(folder))
        if (listing === undefined) continue
        const isSettled = startMs - listing.changedMs > tickMs
        listings.set(folder, isSettled ? listing : { ...listing, changedMs: Number.NaN })
        for (const path of listing.found) if (found.size < mostFound) found.add(path)
        below.push(...listing.folders)
      }
      level = below
    }
    known.set(root, { found, listings })
    return [...found]
  }
}

/** Whether the path exists and no folder on the way is a link. */
function isStillIn(root: string, path: string): boolean {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (look(folder)?.isDirectory() !== true) return false
  }
  return look(path) !== undefined
}

/** Returns `before` if the folder has not changed; `undefined` if it is gone or unreadable. */
function list(folder: string, wanted: ReadonlySet<string>, before?: Listing): Listing | undefined {
  try {
    // A program cannot set ctime back. After renaming a parent, though, another folder with the same ctime may be here.
    const { ctimeMs: changedMs, dev, ino } = statSync(folder)
    if (before?.changedMs === changedMs && before.ino === ino && before.dev === dev) return before
    const [found, folders]: [string[], string[]] = [[], []]
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (wanted.has(entry.name)) found.push(join(folder, entry.name))
      else if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(join(folder, entry.name))
    }
    return { changedMs, dev, ino, found, folders }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
