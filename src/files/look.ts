import { lstatSync, type Stats } from 'node:fs'

/** The stats at a path, without following links. `undefined` if nothing is there or it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
