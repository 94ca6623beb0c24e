import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { crypto } from '../lazy-crypto.ts'
import { makeFolders } from '../private-folder.ts'
import { fileError } from '../system-error.ts'

/** A file for data too long to keep in memory. */
export interface Spill {
  readonly path: string
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Creates a new file, readable only by its owner. Creates the folder (0700) if it is missing. */
export async function openSpill(folder: string, name: string): Promise<Spill> {
  const path = join(folder, `${name}-${crypto().randomBytes(4).toString('hex')}.log`)
  try {
    makeFolders(folder, 0o700)
    const file = await open(path, 'wx', 0o600)
    return {
      path,
      write: async (bytes) => {
        await file.writeFile(bytes)
      },
      close: () => file.close(),
    }
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}
