import { promises } from '../lazy-fs.ts'
import { systemCode } from '../system-error.ts'

/** An entry of a folder. */
interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
  readonly isFolder: boolean
}

/** The first `most` entries of a folder, in no order. `undefined` if it is not a folder or not readable. */
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
