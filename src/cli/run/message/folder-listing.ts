import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorText, PipeError } from '../../../error.ts'
import type { ContentBlock } from '../../../message.ts'
import { mentionedPaths } from './mentioned-path.ts'

/** Entries of a folder that are listed. */
const mostEntries = 500

/** A folder that a prompt mentions. */
export interface MentionedFolder {
  /** Its path as mentioned, without the slash at its end. */
  readonly folder: string
}

/** Returns the folders that `@path` words of a prompt name. */
export function mentionedFolders(prompt: string, cwd: string, home?: string): readonly MentionedFolder[] {
  const found = mentionedPaths(prompt, { cwd, home }).filter(({ stat }) => stat.isDirectory())
  const folders = found.map(({ path }) => path.replace(/(?<=.)\/+$/, ''))
  return [...new Set(folders)].map((folder) => ({ folder }))
}

/** Lists a folder for the model, folders with a slash. Leaves out what the rules hide. Throws `input` if it cannot be read. */
export function attachFolder(
  { folder }: MentionedFolder,
  cwd: string,
  mayRead: (path: string) => boolean,
): ContentBlock {
  const full = resolve(cwd, folder)
  const names = entriesOf(full, folder).filter((name) => mayRead(join(full, name)))
  const left = names.length - mostEntries
  const shown = [...names.slice(0, mostEntries), ...(left > 0 ? [`[… ${left} more]`] : [])]
  const text = shown.length === 0 ? '[it is empty]' : shown.join('\n')
  return { type: 'text', text: `<folder path=${JSON.stringify(folder)}>\n${text}\n</folder>` }
}

/** Describes an attached folder for the user: `src/ · 12 entries`. */
export function describeFolder({ folder }: MentionedFolder, cwd: string): string {
  const { length } = entriesOf(resolve(cwd, folder), folder)
  const count = length === 1 ? '1 entry' : `${length} entries`
  return `${folder.replace(/\/*$/, '/')} · ${count}`
}

function entriesOf(full: string, folder: string): readonly string[] {
  try {
    const entries = readdirSync(full, { withFileTypes: true })
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  } catch (error) {
    const reason = errorText(error)
    throw new PipeError('input', `cannot attach ${folder}: ${reason}`, { cause: error })
  }
}
