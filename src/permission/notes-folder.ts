import { join, relative } from 'node:path'
import { isWithin } from '../machine/path.ts'
import type { ToolPath } from '../tool.ts'
import { reasonToAsk } from './paths/protected.ts'

/** The folder in which the agent of a conversation keeps its notes. */
export interface NotesFolder {
  /** The agent's name. */
  readonly agent: string
  /** A real path. It may not exist. */
  readonly folder: string
  /** Whether notes may be written without a question. */
  readonly isWritable: boolean
}

/**
 * Whether a file tool writes a note that needs no question: a Markdown file below the folder, by its real path, that nothing runs or reads as
 * settings. `paths`: the path as written and with its symlinks followed.
 */
export function isOwnNote(
  { access, from }: ToolPath,
  paths: readonly string[],
  notes: NotesFolder | undefined,
): boolean {
  if (notes?.isWritable !== true || access !== 'write' || from !== undefined) return false
  return paths.every((path) => {
    if (!isWithin(path, notes.folder) || !path.endsWith('.md')) return false
    // The names above the folder are protected, which is why it needs this.
    const below = join('/', relative(notes.folder, path))
    return reasonToAsk('edit', [below], noPlaces) === undefined
  })
}

const noPlaces = { folders: [], keys: [], memories: [], targets: [] }
