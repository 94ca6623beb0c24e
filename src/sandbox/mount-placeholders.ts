import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { look } from '../files/look.ts'
import { placeholderBit } from '../files/mount-placeholder.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import { mountedElsewhere } from './mounts.ts'
import { type Access, type Accesses, isPlaceholder } from './path-access.ts'
import { releaseClaim, takeClaim, touchClaim, touchMs } from './placeholder-claims.ts'

/** A program that just ended may still hold its mounts for a moment. */
const mostTries = 20
const pollMs = 50

/**
 * Empty files and folders at missing protected paths, because only an existing path can be mounted over. Each process claims
 * those it needs; the last one removes them once they are unmounted, or its watchdog does if it is killed.
 */
export class MountPlaceholders {
  /** Placeholders that this process uses, made by itself or found. */
  readonly #paths = new Set<string>()
  /** Claims by the folder of their placeholders. */
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

  /** Makes the placeholders for a plan and returns the accesses that can be mounted. `leave` must follow. Throws `sandbox`. */
  async enter(plan: () => Promise<Accesses>): Promise<Accesses> {
    this.#users += 1
    await this.#removal
    try {
      const planned = [...(await plan())]
      const needed = planned.flatMap(([path, access]) => (isNothing(access) ? [path] : []))
      // One after another, so that no folder is claimed twice.
      const claiming = this.#claiming.then(() => this.#claim(new Set(needed.map(dirname))))
      this.#claiming = claiming.catch(() => undefined)
      await claiming
      // Tell the watchdog first: if this process is killed in between, nothing is left behind.
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

  /** Resolves once this process has removed the placeholders that only it needs. */
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

  /** Returns false if permissions prevent it; then commands cannot create the path either. */
  #make([path, access]: readonly [string, Access]): boolean {
    if (!isNothing(access)) return true
    if (!this.#claims.has(dirname(path))) return false
    try {
      if (access === 'empty_folder') mkdirSync(path, { mode: placeholderBit | 0o700 })
      else closeSync(openSync(path, 'wx', placeholderBit | 0o600))
      this.#paths.add(path)
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') {
        const found = look(path)
        if (found !== undefined && isPlaceholder(path, found)) this.#paths.add(path)
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
      // The next command reuses what is left.
      if (this.#users > 0) return
      if (this.#giveBack()) return this.#tell([])
      await this.#clock.sleep(pollMs, never)
    }
  }

  /** Returns whether every claim was given back. */
  #giveBack(): boolean {
    for (const [folder, claim] of this.#claims) {
      const paths = [...this.#paths].filter((path) => dirname(path) === folder)
      if (!releaseClaim(claim, () => removeUnused(paths))) continue
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

/** Whether the path is missing outside. */
function isNothing(access: Access): boolean {
  return access === 'empty_folder' || access === 'empty_file'
}

/** Keeps commands from removing claims. */
function coverClaims(claim: string): readonly [string, Access] {
  return [dirname(claim), 'empty_folder']
}

/** Removes placeholders that no process has mounted over. Returns whether none is left. */
function removeUnused(paths: readonly string[]): boolean {
  const mounted = mountedElsewhere()
  const unused = paths.filter((path) => !mounted.has(path))
  for (const path of unused) removeEmpty(path)
  return unused.length === paths.length
}

/** Keeps a file with content, or a folder that is not empty. */
function removeEmpty(path: string): void {
  try {
    const found = lstatSync(path)
    if (found.isDirectory()) rmdirSync(path)
    else if (found.isFile() && found.size === 0) unlinkSync(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
