import type { PipeError } from '../error.ts'
import type { Limits } from './limits.ts'

/** Explains why the files could not be saved within these limits. */
export function reasonOf({ details, message }: PipeError, { ms, files }: Limits): string {
  switch (details['reason']) {
    case 'timeout':
      return `saving the files took longer than ${ms / 1_000} s`
    case 'too_many':
      return `there are more than ${files} files; list the ones to skip in .gitignore`
    default:
      return message
  }
}

/** The note that nothing was saved. */
export function cannotUndo(reason: string): string {
  return `changes here cannot be undone: ${reason}`
}

/** The note on files that were not saved; none without such files. */
export function leftOutNotes(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  return [`not saved for undo, too large or unreadable: ${enumerate(paths, 5)}`]
}

/** The note on files that the turn wrote but that were not saved; none without such files. */
export function leftAloneNotes(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  return [
    `changed, but not saved for undo (ignored, too large or outside the project): ${enumerate(paths, 5)}`,
  ]
}

/** The note on folders in which nothing is saved; none without such folders. */
export function uncoveredNotes(folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return []
  return [`changes in added folders cannot be undone: ${enumerate(folders, 5)}`]
}

/** The first few paths, and how many more there are. */
export function enumerate(paths: readonly string[], most: number): string {
  return paths.slice(0, most).join(', ') + (paths.length > most ? ` and ${paths.length - most} more` : '')
}
