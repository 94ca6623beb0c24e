import { enumerate } from '../../characters/enumerate.ts'
import type { PipeError } from '../../error.ts'
import type { UnsavedPart } from '../commit-notes.ts'
import type { SaveLimits } from '../save-limits.ts'

/** Explains why the files could not be saved within these limits. */
export function reasonOf(
  { details, message }: PipeError,
  { ms, files }: Pick<SaveLimits, 'ms' | 'files'>,
): string {
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

/** The note on what the turn changed but that was not saved; none without such changes. */
export function ignoredNotes(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`changed, but not saved for undo: ${enumerate(paths, 5)}`]
}

/** The notes on where commands may change files that are not saved. */
export function unsavedNotes(unsaved: readonly UnsavedPart[]): readonly string[] {
  const names = unsaved.flatMap(({ name }) => (name === '' ? [] : [name]))
  const [why] = unsaved.flatMap(({ name, why }) => (name === '' ? [] : [why]))
  return [
    ...unsaved.flatMap(({ name, why }) =>
      name === '' ? [`what commands change cannot be undone: ${why}`] : [],
    ),
    ...(why === undefined ? [] : [`not saved for undo, ${why}: ${enumerate(names, 5)}`]),
  ]
}

/** The note on folders in which nothing is saved but what `write` and `edit` change; none without such folders. */
export function uncoveredNotes(folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return []
  return [`what commands change in added folders cannot be undone: ${enumerate(folders, 5)}`]
}

/** Names what is not saved, in one phrase; `undefined` for nothing. */
export function phraseOf(unsaved: readonly UnsavedPart[]): string | undefined {
  if (unsaved.length === 0) return undefined
  const names = unsaved.map(({ name }) => name)
  return names.includes('') ? 'what commands changed' : enumerate(names.map(inLine), 2)
}

/** Quotes a path with control characters, such as line breaks. */
export function inLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path
}
