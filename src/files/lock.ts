import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError, throwIfAborted } from '../error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { present } from '../present.ts'
import { isRunning, processStart } from './process-start.ts'
import { fileError, systemCode } from './system-error.ts'

/** Held from `takeLock` to `release`. Both are a few small system calls, done at once. */
export interface Lock {
  /** Gives the lock back. Any number of times. */
  release(): void
}

export interface LockOptions {
  /** The process that will hold it, and the machine it runs on. */
  readonly pid: number
  readonly host: string
  readonly signal: AbortSignal
}

/**
 * Takes the lock file `path`, in a folder that exists. The lock of a process that is gone (its pid, or the pid's start time) is
 * taken over; that of another machine never. Throws `conflict` with `details.pid` and `details.host` of the holder.
 */
export function takeLock(path: string, options: LockOptions): Lock {
  const { pid, host, signal } = options
  const content = JSON.stringify({ pid, host, ...present({ start: processStart(pid) }) })
  // Linked from a draft, the lock file is whole from its first moment: a damaged one has no living holder.
  const draft = `${path}.${host}.${pid}`
  withFileErrors(path, 'lock', () => {
    try {
      writeFileSync(draft, content, { mode: 0o600 })
      while (!claim(draft, path, options)) throwIfAborted(signal)
    } finally {
      removeIfThere(draft)
    }
  })
  let held = true
  const release = () => {
    // Where somebody has removed it, another process may hold it by now.
    if (held && readIfThere(path) === content) removeIfThere(path)
    held = false
  }
  return { release: () => withFileErrors(path, 'unlock', release) }
}

export interface PatientLockOptions extends LockOptions {
  readonly clock: Clock
}

const patienceMs = 3_000
const pollMs = 20

/** `takeLock` for a file that each holder changes and is done with: waits 3 s for its turn before it throws `conflict`. */
export async function waitForLock(path: string, options: PatientLockOptions): Promise<Lock> {
  const { clock, signal } = options
  const until = clock.monotonic() + patienceMs
  for (;;) {
    try {
      return takeLock(path, options)
    } catch (error) {
      if (!isPipeError(error) || error.code !== 'conflict' || clock.monotonic() >= until) throw error
    }
    await clock.sleep(pollMs, signal)
  }
}

/** One try; false where the lock changed under our eyes and another try makes sense. */
function claim(draft: string, path: string, options: LockOptions): boolean {
  if (linkIfFree(draft, path)) return true
  const found = readIfThere(path)
  if (found === undefined) return false
  requireStale(found, path, options.host)
  // Only who holds this second lock may replace a stale one, so that no process removes another's fresh lock.
  const takeover = takeLock(`${path}.takeover`, options)
  try {
    if (readIfThere(path) !== found) return false
    renameSync(draft, path)
    return true
  } finally {
    takeover.release()
  }
}

/** Whether a lock file is held, as far as the machine `host` can tell. Writes nothing. Throws `permission`. */
export function isLocked(path: string, host: string): boolean {
  const found = withFileErrors(path, 'read', () => readIfThere(path))
  return found !== undefined && livingHolder(found, host) !== undefined
}

function requireStale(found: string, path: string, host: string): void {
  const holder = livingHolder(found, host)
  if (holder === undefined) return
  throw new PipeError('conflict', `${path} is held by process ${holder.pid} on ${holder.host}`, {
    details: { pid: String(holder.pid), host: holder.host },
  })
}

function livingHolder(found: string, host: string): Holder | undefined {
  const holder = parseJson(found)
  if (!isHolder(holder)) return undefined
  return holder.host === host && !isRunning(holder.pid, holder.start) ? undefined : holder
}

type Holder = JsonObject & { readonly pid: number; readonly host: string; readonly start?: string }

function isHolder(value: unknown): value is Holder {
  return (
    isJsonObject(value) &&
    typeof value['pid'] === 'number' &&
    typeof value['host'] === 'string' &&
    (value['start'] === undefined || typeof value['start'] === 'string')
  )
}

function linkIfFree(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function withFileErrors<Result>(path: string, doing: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw fileError(error, path, doing)
  }
}
