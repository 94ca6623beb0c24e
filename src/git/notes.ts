import type { PipeError } from '../error.ts'
import type { Limits } from './limits.ts'

/** Why the files could not be saved within these limits. */
export function reasonOf({ details, message }: PipeError, { ms, files }: Limits): string {
  switch (details['reason']) {
    case 'timeout':
      return `saving the files took longer than ${ms / 1_000} s`
    case 'too_many':
      return `there are more than ${files} files; .gitignore says which do not count`
    default:
      return message
  }
}

/** Says that nothing was saved. */
export function cannotUndo(reason: string): string {
  return `what is changed here cannot be undone: ${reason}`
}

/** Says what of the files was not saved, where there is such. */
export function leftOutNotes(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  return [`left out of what can be undone, too large or not to be read: ${enumerate(paths, 5)}`]
}

/** Says which files that the turn wrote were not saved, where there are such. */
export function leftAloneNotes(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  return [
    `changed, but not kept for an undo (ignored, too large or outside of the project): ${enumerate(paths, 5)}`,
  ]
}

/** Says in which folders nothing is saved, where there are such. */
export function uncoveredNotes(folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return []
  return [`what changes in folders that were added cannot be undone: ${enumerate(folders, 5)}`]
}

/** The first few of these paths, and how many more there are. */
export function enumerate(paths: readonly string[], most: number): string {
  return paths.slice(0, most).join(', ') + (paths.length > most ? ` and ${paths.length - most} more` : '')
}
