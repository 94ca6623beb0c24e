import { promises } from './lazy-fs.ts'
import { systemCode } from './system-error.ts'

/** What stands in a folder. */
interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
  readonly isFolder: boolean
}

/** The first `most` entries of a folder, in no order; `undefined` for what is no folder, or may not be read. */
export async function listFolder(path: string, most: number): Promise<readonly FolderEntry[] | undefined> {
  const entries: FolderEntry[] = []
  try {
    for await (const entry of await promises().opendir(path)) {
      entries.push({ name: entry.name, isLink: entry.isSymbolicLink(), isFolder: entry.isDirectory() })
      if (entries.length === most) break
    }
    return entries
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
