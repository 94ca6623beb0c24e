import { join } from 'node:path'
import { promises } from '../lazy-fs.ts'
import { fileError, systemCode } from '../system-error.ts'

/** Removes a folder with all that is in it, also in folders that are not writable. Throws like `fileError`. */
export async function removeTree(path: string): Promise<void> {
  const remove = () => promises().rm(path, { recursive: true, force: true })
  try {
    await remove().catch(async (error: unknown) => {
      if (systemCode(error) !== 'EACCES') throw error
      await makeWritable(path)
      await remove()
    })
  } catch (error) {
    throw fileError(error, path, 'remove')
  }
}

/** Makes a folder and all below it writable for its owner. Follows no links. */
async function makeWritable(folder: string): Promise<void> {
  await promises().chmod(folder, 0o700)
  for (const entry of await promises().readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
  }
}
