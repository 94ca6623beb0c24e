import { closeSync, fdatasync, fsync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { fileError, systemCode } from './system-error.ts'

const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

/**
 * An open file, written synchronously but synced off the main thread: a write to the system's cache takes microseconds, a trip
 * through the thread pool takes longer. The owner closes it.
 */
export class OpenFile {
  readonly path: string
  readonly descriptor: number
  /** Whether opening it created it. */
  readonly isNew: boolean
  #isNamed: boolean

  constructor(path: string, descriptor: number, { isNew }: { readonly isNew: boolean }) {
    this.path = path
    this.descriptor = descriptor
    this.isNew = isNew
    this.#isNamed = !isNew
  }

  /** Resolves once everything written so far, and the name of a new file, would survive a power cut. */
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

/** Codes with which a system refuses to open a folder, or cannot sync one (network file systems). */
const unsyncable: readonly string[] = ['EACCES', 'EINVAL', 'ENOTSUP']

/** Makes the names in a folder survive a power cut, if the system can sync folders. */
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
