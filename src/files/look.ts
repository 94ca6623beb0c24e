import { lstatSync, type Stats } from 'node:fs'

/** What stands at a path, links not followed; `undefined` where nothing does or where it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
