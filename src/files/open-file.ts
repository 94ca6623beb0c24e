import { closeSync, fdatasync, fsync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { fileError, systemCode } from './system-error.ts'

const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

/**
 * An open file that is written at once and synced beside the main thread: what goes to the system's cache takes microseconds, the
 * way through the thread pool does not. Its owner closes it.
 */
export class OpenFile {
  readonly path: string
  readonly descriptor: number
  /** It was made when it was opened. */
  readonly isNew: boolean
  #isNamed: boolean

  constructor(path: string, descriptor: number, { isNew }: { readonly isNew: boolean }) {
    this.path = path
    this.descriptor = descriptor
    this.isNew = isNew
    this.#isNamed = !isNew
  }

  /** What is written by now survives a power cut when this resolves, and so does the name of a new file. */
  async sync(): Promise<void> {
    try {
      const naming = this.#isNamed ? undefined : syncFolder(dirname(this.path))
      await Promise.all([syncData(this.descriptor), naming])
      this.#isNamed = true
    } catch (error) {
      throw fileError(error, this.path, 'sync')
    }
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

/** With these a system refuses to open a folder, or has no way to sync one (network file systems). */
const unsyncable: readonly string[] = ['EACCES', 'EINVAL', 'ENOTSUP']

/** Makes the names in a folder survive a power cut, where the system lets a folder be synced. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      await syncAll(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!unsyncable.includes(systemCode(error) ?? '')) throw error
  }
}
