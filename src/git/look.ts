import { lstatSync, type Stats } from 'node:fs'

/** What stands at a path, links not followed; `undefined` where nothing does or where it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Whether it is what a sandbox puts where nothing is while commands run, a folder or an empty file: it is mounted over there, so that
 * it neither counts as made or removed by a turn, nor is it removed or replaced.
 */
export function isStandIn(found: Stats): boolean {
  return (found.mode & 0o1000) !== 0 && (found.isDirectory() || (found.isFile() && found.size === 0))
}
