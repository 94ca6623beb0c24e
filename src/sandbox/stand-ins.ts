import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import type { CommandRunner } from '../command.ts'
import { PipeError } from '../error.ts'
import { look } from '../files/look.ts'
import { standInBit } from '../files/stand-in.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { type Access, type Accesses, isStandIn } from './access.ts'
import { giveBack, takeClaim, touchClaim, touchMs } from './claims.ts'
import { mountedElsewhere } from './mounts.ts'

/** What ended a moment ago may still be on its way out. */
const mostTries = 20
const pollMs = 50

/**
 * What is mounted over must be there: for protected paths at which nothing is, empty folders and files stand on the disk while
 * commands run, of this process or of another one. Removing one while it is mounted over would lay the path open: each process
 * claims those that it needs, and the last one removes them, when nothing is mounted over them any more. If this process is killed,
 * whoever watches over its commands does.
 */
export class StandIns {
  /** Those of this process, made by itself or found. */
  readonly #paths = new Set<string>()
  /** By the folder that it is for. */
  readonly #claims = new Map<string, string>()
  readonly #watcher: Pick<CommandRunner, 'removeIfKilled'>
  readonly #clock: Clock
  #stopTouching: (() => void) | undefined
  #users = 0
  #claiming: Promise<unknown> = Promise.resolve()
  #removal: Promise<void> | undefined

  constructor(watcher: Pick<CommandRunner, 'removeIfKilled'>, clock: Clock) {
    this.#watcher = watcher
    this.#clock = clock
  }

  /** Gives what may be mounted of what `plan` gives; `leave` must follow. Throws `sandbox`. */
  async enter(plan: () => Promise<Accesses>): Promise<Accesses> {
    this.#users += 1
    await this.#removal
    try {
      const planned = [...(await plan())]
      const needed = planned.flatMap(([path, access]) => (isNothing(access) ? [path] : []))
      // One after the other, so that no folder is claimed twice.
      const claiming = this.#claiming.then(() => this.#claim(new Set(needed.map(dirname))))
      this.#claiming = claiming.catch(() => undefined)
      await claiming
      // Told before they are there, so that no moment is left in which they would stay.
      if (needed.length > 0) this.#tell([...this.#paths, ...needed])
      const mounts = planned.filter((entry) => this.#make(entry))
      return new Map([...mounts, ...[...this.#claims.values()].map(coverClaims)])
    } catch (error) {
      this.leave()
      throw error
    }
  }

  leave(): void {
    this.#users -= 1
    if (this.#users === 0) this.#removal = this.#remove()
  }

  /** Resolves when nothing is left of them that only this process needs. */
  async close(): Promise<void> {
    await this.#removal
  }

  async #claim(folders: ReadonlySet<string>): Promise<void> {
    for (const folder of folders) {
      if (this.#claims.has(folder)) continue
      const claim = await takeClaim(folder, this.#clock)
      if (claim !== undefined) this.#claims.set(folder, claim)
    }
    if (this.#claims.size > 0) this.#stopTouching ??= this.#clock.every(touchMs, () => this.#touch())
  }

  #touch(): void {
    for (const claim of this.#claims.values()) touchClaim(claim, this.#clock)
  }

  /** False where nobody may make it, and so nothing can be there. */
  #make([path, access]: readonly [string, Access]): boolean {
    if (!isNothing(access)) return true
    if (!this.#claims.has(dirname(path))) return false
    try {
      if (access === 'empty_folder') mkdirSync(path, { mode: standInBit | 0o700 })
      else closeSync(openSync(path, 'wx', standInBit | 0o600))
      this.#paths.add(path)
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') {
        const found = look(path)
        if (found !== undefined && isStandIn(path, found)) this.#paths.add(path)
        return true
      }
      const { code, message } = fileError(error, path, 'protect')
      if (code === 'permission') return false
      throw new PipeError('sandbox', `commands cannot be run in a sandbox: ${message}`, { cause: error })
    }
  }

  async #remove(): Promise<void> {
    const never = new AbortController().signal
    for (let tries = 0; tries < mostTries; tries++) {
      // The next command goes on with those that are left.
      if (this.#users > 0) return
      if (this.#giveBack()) return this.#tell([])
      await this.#clock.sleep(pollMs, never)
    }
  }

  /** Whether all is done that is to be done by this process. */
  #giveBack(): boolean {
    for (const [folder, claim] of this.#claims) {
      const paths = [...this.#paths].filter((path) => dirname(path) === folder)
      if (!giveBack(claim, () => removeUnused(paths))) continue
      this.#claims.delete(folder)
      for (const path of paths) this.#paths.delete(path)
    }
    if (this.#claims.size > 0) return false
    this.#stopTouching?.()
    this.#stopTouching = undefined
    return true
  }

  #tell(paths: readonly string[]): void {
    this.#watcher.removeIfKilled(paths, [...this.#claims.values()])
  }
}

/** Whether nothing is there. */
function isNothing(access: Access): boolean {
  return access === 'empty_folder' || access === 'empty_file'
}

/** So that commands take none away. */
function coverClaims(claim: string): readonly [string, Access] {
  return [dirname(claim), 'empty_folder']
}

/** Whether none is left that is mounted over. */
function removeUnused(paths: readonly string[]): boolean {
  const mounted = mountedElsewhere()
  const unused = paths.filter((path) => !mounted.has(path))
  for (const path of unused) removeEmpty(path)
  return unused.length === paths.length
}

/** What was put in its place meanwhile, or into it, stays. */
function removeEmpty(path: string): void {
  try {
    const found = lstatSync(path)
    if (found.isDirectory()) rmdirSync(path)
    else if (found.isFile() && found.size === 0) unlinkSync(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
