import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { look } from '../files/look.ts'
import { systemCode } from '../files/system-error.ts'

/** Peers look as far down. */
const mostLevels = 3
/** A walk takes about 25 µs a folder, and a fifth of that where nothing has changed since the last one. */
const mostFolders = 1_000
/** What is found costs a mount or two, and each of those the longer the more there are. */
const mostFound = 64
/** Two changes within it may leave the same time at a folder. */
const tickMs = 50

/** What stands at names that are looked for, by absolute path: in a folder and up to three folders further down. */
export type NameFinder = (root: string) => readonly string[]

/** What was seen of a root the last time. */
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
 * Finds up to 64: what it found the last time and is still there, wherever that lies, then the nearest in the first 1,000 folders. So
 * nothing that comes later crowds out what was there before. Passes over `node_modules`, links, and what is in what it finds.
 * Folders that did not change since the last time are not read again.
 */
export function nameFinder(names: readonly string[], clock: Pick<Clock, 'now'>): NameFinder {
  const wanted = new Set(names)
  const known = new Map<string, Seen>()
  return (root) => {
    // Before anything is looked at: what changes from here on is not settled.
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

/** Whether something is there, and no link on the way. */
function isStillIn(root: string, path: string): boolean {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (look(folder)?.isDirectory() !== true) return false
  }
  return look(path) !== undefined
}

/** `before`, where that still holds. `undefined` where it is gone or may not be read. */
function list(folder: string, wanted: ReadonlySet<string>, before?: Listing): Listing | undefined {
  try {
    // Nobody can set this time back; but where a folder above was renamed, another one of the same time may be here now.
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
