import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { systemCode } from '../files/system-error.ts'

/** Peers look as far down. */
const mostLevels = 3
/** A walk takes about 25 µs a folder, and a fifth of that where nothing has changed since the last one. */
const mostFolders = 1_000
/** What is found costs a mount or two, and each of those the longer the more there are. */
const mostFound = 64
/** Two changes within it may leave the same time at a folder. */
const tickMs = 50

/** What stands at names that are looked for, by absolute path: in a folder and up to three folders further down, the nearest first. */
export type NameFinder = (root: string) => readonly string[]

interface Listing {
  readonly changedMs: number
  readonly found: readonly string[]
  readonly folders: readonly string[]
}

/**
 * Finds the first 64 in the first 1,000 folders, and passes over `node_modules`, links, and what is in what it finds. Folders
 * that did not change since the last time are not read again.
 */
export function nameFinder(names: readonly string[], clock: Pick<Clock, 'now'>): NameFinder {
  const wanted = new Set(names)
  const known = new Map<string, Map<string, Listing>>()
  return (root) => {
    const before = known.get(root)
    const now = new Map<string, Listing>()
    const found: string[] = []
    let level = [root]
    for (let depth = 0; depth <= mostLevels && now.size < mostFolders; depth++) {
      const below: string[] = []
      for (const folder of level.slice(0, mostFolders - now.size)) {
        const listing = list(folder, wanted, before?.get(folder))
        if (listing === undefined) continue
        const isSettled = clock.now() - listing.changedMs > tickMs
        now.set(folder, isSettled ? listing : { ...listing, changedMs: Number.NaN })
        found.push(...listing.found)
        below.push(...listing.folders)
      }
      level = below
    }
    known.set(root, now)
    return found.slice(0, mostFound)
  }
}

/** `before`, where that still holds. `undefined` where it is gone or may not be read. */
function list(folder: string, wanted: ReadonlySet<string>, before?: Listing): Listing | undefined {
  try {
    // Nobody can set this time back.
    const changedMs = statSync(folder).ctimeMs
    if (before?.changedMs === changedMs) return before
    const [found, folders]: [string[], string[]] = [[], []]
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (wanted.has(entry.name)) found.push(join(folder, entry.name))
      else if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(join(folder, entry.name))
    }
    return { changedMs, found, folders }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
