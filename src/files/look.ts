import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'

/** The stats at a path, without following links. `undefined` if nothing is there or it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The stats of what a path leads to, links followed. `undefined` if nothing is there or it cannot be reached. */
export function lookThrough(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The names in a folder. None if it is missing or cannot be read. */
export function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
