import { closeSync, mkdirSync, openSync } from 'node:fs'
import { lstat, rmdir, unlink } from 'node:fs/promises'
import type { CommandRunner } from '../command.ts'
import { PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import type { Access, Accesses } from './access.ts'

/**
 * What is mounted over must be there: for protected paths at which nothing is, empty folders and files stand on the disk while
 * commands run. They go when none runs any more; removing one while it is mounted over would lay the path open. If this process is
 * killed, whoever watches over its commands removes them.
 */
export class StandIns {
  readonly #made = new Set<string>()
  readonly #watcher: Pick<CommandRunner, 'removeIfKilled'>
  #users = 0
  #removal: Promise<void> | undefined

  constructor(watcher: Pick<CommandRunner, 'removeIfKilled'>) {
    this.#watcher = watcher
  }

  /** Gives what may be mounted of what `plan` gives; `leave` must follow. Throws `sandbox`. */
  async enter(plan: () => Promise<Accesses>): Promise<Accesses> {
    this.#users += 1
    await this.#removal
    try {
      const planned = [...(await plan())]
      const needed = planned.flatMap(([path, access]) => (isNothing(access) ? [path] : []))
      // Told before they are there, so that no moment is left in which they would stay.
      if (needed.length > 0) this.#watcher.removeIfKilled([...this.#made, ...needed])
      return new Map(planned.filter((entry) => this.#make(entry)))
    } catch (error) {
      this.leave()
      throw error
    }
  }

  leave(): void {
    this.#users -= 1
    if (this.#users === 0) this.#removal = this.#remove()
  }

  /** Resolves when nothing is left of them. */
  async close(): Promise<void> {
    await this.#removal
  }

  /** False where nobody may make it, and so nothing can be there. */
  #make([path, access]: readonly [string, Access]): boolean {
    if (!isNothing(access)) return true
    try {
      if (access === 'empty_folder') mkdirSync(path, { mode: 0o700 })
      else closeSync(openSync(path, 'wx', 0o600))
      this.#made.add(path)
      return true
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EEXIST') return true
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      throw new PipeError('sandbox', `cannot protect ${path} in the sandbox: ${code ?? String(error)}`, {
        cause: error,
      })
    }
  }

  async #remove(): Promise<void> {
    for (const path of this.#made) {
      // The next command goes on with those that are left.
      if (this.#users > 0) return
      await removeEmpty(path)
      this.#made.delete(path)
    }
    this.#watcher.removeIfKilled([])
  }
}

/** Whether nothing is there. */
function isNothing(access: Access): boolean {
  return access === 'empty_folder' || access === 'empty_file'
}

/** What was put in its place meanwhile, or into it, stays. */
async function removeEmpty(path: string): Promise<void> {
  try {
    const found = await lstat(path)
    if (found.isDirectory()) await rmdir(path)
    else if (found.isFile() && found.size === 0) await unlink(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
