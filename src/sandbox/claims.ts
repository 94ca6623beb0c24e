import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import { ownerOf, processMark } from '../files/process-mark.ts'
import { standInBit } from '../files/stand-in.ts'
import { fileError, systemCode } from '../files/system-error.ts'

/**
 * A folder beside the stand-ins. In it is an empty folder, named by its process, for each that needs them, and for one that is
 * removing them. One of another container or machine is alive while its folder is touched. That all of it are folders keeps git from listing it. It is marked as the stand-ins are.
 */
const claimsName = '.pipe-claims'

const leavingPrefix = 'leaving-'
const patienceMs = 3_000
const pollMs = 5

/** Intervals in milliseconds: how often claims are touched, and when an untouched claim of another container or machine expires. */
export const touchMs = 30_000
const untouchedMs = 600_000

/**
 * Keeps other processes from removing stand-ins in this folder; waits for one that does so already. Gives the path of the claim, to be
 * given back, in a folder that commands must not change; `undefined` where nobody may make one. Throws `sandbox`.
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
  throw new PipeError(
    'sandbox',
    `another process does not get done with ${claims}: end it, or remove the folder`,
  )
}

/** Shows other containers and machines that a claim's process is alive. */
export function touchClaim(claim: string, clock: Clock): void {
  try {
    utimesSync(claim, clock.now() / 1_000, clock.now() / 1_000)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

/** Waits until nobody is removing stand-ins; false where that takes too long. */
async function isSettled(claims: string, clock: Clock): Promise<boolean> {
  const until = clock.monotonic() + patienceMs
  while (living(claims).some(isLeaving)) {
    if (clock.monotonic() >= until) return false
    await clock.sleep(pollMs, new AbortController().signal)
  }
  return true
}

/**
 * Gives a claim back. Where no other process has one in its folder, `remove` is called, and who comes meanwhile waits until it is
 * done; it says whether that is all. Where it is not, the claim stays, and this gives false.
 */
export function giveBack(claim: string, remove: () => boolean): boolean {
  const claims = dirname(claim)
  const leaving = join(claims, leavingPrefix + basename(claim))
  // First it is said that this one goes, then looked who stays: of two that come and go at once, one sees the other.
  if (!rename(claim, leaving)) return true
  if (nobodyStays(claims) && !remove()) return !rename(leaving, claim)
  removeFolder(leaving)
  removeFolder(claims)
  return true
}

function isLeaving(name: string): boolean {
  return name.startsWith(leavingPrefix)
}

/** Also false where that cannot be told. */
function nobodyStays(claims: string): boolean {
  try {
    return living(claims).every(isLeaving)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function make(claims: string): string {
  for (;;) {
    try {
      mkdirSync(claims, { mode: standInBit | 0o700 })
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    try {
      // Through a link commands could come at it.
      if (!lstatSync(claims).isDirectory()) {
        throw new PipeError(
          'sandbox',
          `commands cannot be run in a sandbox: ${claims} is no folder; remove it`,
        )
      }
      return mkdtempSync(join(claims, processMark()))
    } catch (error) {
      // Its last user has just removed it.
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }
}

/** The names in the folder of which the processes still run. Those of others are removed. */
function living(claims: string): readonly string[] {
  return list(claims).filter((name) => {
    const owner = ownerOf(isLeaving(name) ? name.slice(leavingPrefix.length) : name)
    if (owner === undefined) return false
    if (owner === 'alive' || (owner === 'elsewhere' && isTouched(claims, name))) return true
    removeFolder(join(claims, name))
    return false
  })
}

/** Compares with a folder that this process just changed, so that both times come from one clock. */
function isTouched(claims: string, name: string): boolean {
  const touched = statSync(join(claims, name), { throwIfNoEntry: false })?.mtimeMs
  return touched !== undefined && statSync(claims).mtimeMs - touched < untouchedMs
}

/** Nothing where it is gone: somebody has tidied up. */
function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** False where it is gone, or out of reach. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

/** As far as nothing is in it. */
function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
