import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import { ownerOf, processMark } from '../files/lock/process-mark.ts'
import { entryNames } from '../files/look.ts'
import { placeholderBit } from '../files/mount-placeholder.ts'
import { fileError, systemCode } from '../files/system-error.ts'

/**
 * Folder next to the placeholders, marked like them. Holds an empty folder per process that needs or removes them; folders only, so
 * that git does not list it. A process of another container or machine counts as alive while its folder is touched.
 */
const claimsName = '.pipe-claims'

const leavingPrefix = 'leaving-'
const maxWaitMs = 3_000
const pollMs = 5

/**
 * Intervals in milliseconds: how often claims are touched, and when an untouched claim of another container or machine expires.
 */
export const touchMs = 30_000
const untouchedMs = 600_000

/**
 * Keeps other processes from removing placeholders in this folder; waits for one that is removing some. Returns the claim's path for
 * `giveBack`, in a folder that commands must not change; `undefined` if it cannot be made. Throws `sandbox`.
 */
export async function takeClaim(folder: string, clock: Clock): Promise<string | undefined> {
  const claims = join(folder, claimsName)
  try {
    const claim = make(claims)
    if (await isSettled(claims, clock)) return claim
    removeFolder(claim)
  } catch (error) {
    if (isPipeError(error)) throw error
    const { code, message } = fileError(error, claims, 'make')
    if (code === 'permission') return undefined
    throw new PipeError('sandbox', `commands cannot be run in a sandbox: ${message}`, { cause: error })
  }
  throw new PipeError('sandbox', `another process is still busy with ${claims}: end it, or remove the folder`)
}

/** Shows other containers and machines that a claim's process is alive. */
export function touchClaim(claim: string, clock: Clock): void {
  try {
    utimesSync(claim, clock.now() / 1_000, clock.now() / 1_000)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

/** Waits until no process is removing placeholders. Returns false if that takes longer than 3 seconds. */
async function isSettled(claims: string, clock: Clock): Promise<boolean> {
  const until = clock.monotonic() + maxWaitMs
  while (living(claims).some(isShutdown)) {
    if (clock.monotonic() >= until) return false
    await clock.sleep(pollMs, new AbortController().signal)
  }
  return true
}

/**
 * Gives a claim back. If it is the last one, calls `remove`, while newcomers wait; `remove` returns whether nothing is left. If
 * something is left, the claim stays and this returns false.
 */
export function releaseClaim(claim: string, remove: () => boolean): boolean {
  const claims = dirname(claim)
  const leaving = join(claims, leavingPrefix + basename(claim))
  // Announce leaving before checking who stays: of two processes that come and go at once, one sees the other.
  if (!rename(claim, leaving)) return true
  if (nobodyStays(claims) && !remove()) return !rename(leaving, claim)
  removeFolder(leaving)
  removeFolder(claims)
  return true
}

function isShutdown(name: string): boolean {
  return name.startsWith(leavingPrefix)
}

/** Also false if that is unknown. */
function nobodyStays(claims: string): boolean {
  try {
    return living(claims).every(isShutdown)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function make(claims: string): string {
  for (;;) {
    try {
      mkdirSync(claims, { mode: placeholderBit | 0o700 })
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    try {
      // Commands could change the claims through a link.
      if (!lstatSync(claims).isDirectory()) {
        throw new PipeError(
          'sandbox',
          `commands cannot be run in a sandbox: ${claims} is not a folder; remove it`,
        )
      }
      return mkdtempSync(join(claims, processMark()))
    } catch (error) {
      // The last process that used it has just removed it.
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }
}

/** Returns the names whose processes still run. Removes those of dead ones. */
function living(claims: string): readonly string[] {
  return entryNames(claims).filter((name) => {
    const owner = ownerOf(isShutdown(name) ? name.slice(leavingPrefix.length) : name)
    if (owner === undefined) return false
    if (owner === 'alive' || (owner === 'foreign' && isTouched(claims, name))) return true
    removeFolder(join(claims, name))
    return false
  })
}

/** Compares with a folder that this process just changed, so that both times come from one clock. */
function isTouched(claims: string, name: string): boolean {
  const touched = statSync(join(claims, name), { throwIfNoEntry: false })?.mtimeMs
  return touched !== undefined && statSync(claims).mtimeMs - touched < untouchedMs
}

/** Returns false if the path is gone or out of reach. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

/** Removes the folder if it is empty. */
function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
