import { join } from 'node:path'
import { entryNames, lookThrough } from '../../files/look.ts'
import { holds } from '../trust/project-root.ts'
import type { SkillNote } from './skill.ts'

/** An entry of a folder, with its links followed. */
export interface FollowedEntry {
  readonly name: string
  readonly isFolder: boolean
}

interface EntryOptions {
  /** The project that no folder may lead out of. */
  readonly root: string | undefined
  /** Takes what is left out. */
  readonly notes: SkillNote[]
}

/** Entries of a folder that are looked at. */
const mostEntries = 1_000
/** Folders that hold no skills of their owner. */
const skipped = /^(\..*|node_modules)$/

/** Lists what a folder holds, in the order of the names: none for one that is missing, closed, or leads out of the project. */
export function entriesIn(folder: string, { root, notes }: EntryOptions): readonly FollowedEntry[] {
  if (root !== undefined && !holds(root, folder)) {
    if (lookThrough(folder) !== undefined)
      notes.push({ path: folder, text: 'ignored: it leads out of the project', kind: 'unusable' })
    return []
  }
  const names = entryNames(folder).toSorted()
  if (names.length > mostEntries)
    notes.push({ path: folder, text: `only the first ${mostEntries} entries are read`, kind: 'unusable' })
  return names.slice(0, mostEntries).flatMap((name) => {
    if (skipped.test(name)) return []
    // A name like this could forge a line wherever it is shown.
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
      const text = `ignored ${JSON.stringify(name)}: invisible characters`
      notes.push({ path: folder, text, kind: 'unusable' })
      return []
    }
    return [{ name, isFolder: lookThrough(join(folder, name))?.isDirectory() === true }]
  })
}
