import { renameSync, statSync, writeFileSync } from 'node:fs'
import type { Clock } from '../../clock.ts'
import { hasCode, PipeError, throwIfAborted } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { onFile } from '../system-error.ts'
import { beat, type FoundLock, lookAtLock, placeIfFree, readLock, removeIfThere } from './lock-file.ts'
import { beatMs, type Holder, holderOf, isAlive, readHolder, sharePids, staleMs } from './lock-holder.ts'
import { isRunning } from './process-start.ts'

/** A lock from `takeLock`, held until `release` and renewed by a heartbeat every 10 s. All its calls are small and synchronous. */
export interface Lock {
  /** Call this before each write that the lock protects. Throws `conflict` if another process has taken the lock over. */
  requireHeld(): void
  /** Releases the lock. May be called any number of times. */
  release(): void
}

export interface LockOptions {
  /** The process that will hold it, and the machine it runs on. */
  readonly pid: number
  readonly host: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Takes the lock file `path` in an existing folder. Takes over a dead process's lock at once, or one of another container or machine
 * after 25 s of silence. Throws `conflict` with `details.pid`, `details.host`, `details.holder`.
 */
export function takeLock(path: string, options: LockOptions): Lock {
  const { pid, host, clock, signal } = options
  const holder = holderOf(pid, host, clock.now())
  const content = JSON.stringify(holder)
  // Linked from a draft, the lock file is whole from its first moment: a damaged one has no living holder.
  const draft = draftOf(path, holder)
  onFile(path, 'lock', () => {
    try {
      writeFileSync(draft, content, { mode: 0o600 })
      while (!claim({ path, draft, holder, content }, options)) throwIfAborted(signal)
    } finally {
      removeIfThere(draft)
    }
  })
  return new HeldLock(path, content, clock)
}

export interface PatientLockOptions extends LockOptions {
  /** Milliseconds to wait for the lock. Default: 3 s, which suits files that are changed quickly. */
  readonly waitMs?: number
}

const defaultWaitMs = 3_000
const pollMs = 20
const slowPollMs = 200

/** Takes the lock like `takeLock`, but waits before it throws `conflict`. */
export async function waitForLock(path: string, options: PatientLockOptions): Promise<Lock> {
  const { clock, signal, waitMs = defaultWaitMs } = options
  const until = clock.monotonic() + waitMs
  for (let pause = pollMs; ; pause = Math.min(pause * 2, slowPollMs)) {
    try {
      return takeLock(path, options)
    } catch (error) {
      if (!hasCode(error, 'conflict') || clock.monotonic() >= until) throw error
    }
    await clock.sleep(Math.min(pause, until - clock.monotonic()), signal)
  }
}

/** Whether a lock file is held, as far as this machine can tell. Writes nothing. Throws `permission`. */
export function isLocked(path: string, { host, clock }: Pick<LockOptions, 'host' | 'clock'>): boolean {
  const found = onFile(path, 'read', () => lookAtLock(path))
  if (found === undefined) return false
  const self = holderOf(0, host, clock.now())
  return holderAlive(found, self, clock.now() - found.beatAt)
}

class HeldLock implements Lock {
  readonly #path: string
  readonly #content: string
  readonly #stopBeating: () => void
  #isReleased = false

  constructor(path: string, content: string, clock: Clock) {
    this.#path = path
    this.#content = content
    this.#stopBeating = clock.every(beatMs, () => beat(path, content, clock))
  }

  requireHeld(): void {
    const content = onFile(this.#path, 'read', () => readLock(this.#path))
    if (!this.#isReleased && content === this.#content) return
    const thief = readHolder(content ?? '')
    const who = thief === undefined ? 'is gone' : `was taken over by process ${thief.pid} on ${thief.host}`
    throw new PipeError('conflict', `the lock ${this.#path} ${who} while this process was stalled`, {
      details: omitUndefined({ pid: thief && String(thief.pid), host: thief?.host }),
    })
  }

  release(): void {
    this.#stopBeating()
    if (this.#isReleased) return
    this.#isReleased = true
    onFile(this.#path, 'unlock', () => {
      // Another process may hold the lock if someone removed its file.
      if (readLock(this.#path) === this.#content) removeIfThere(this.#path)
    })
  }
}

/** The lock file that `takeLock` puts in place. */
interface Draft {
  readonly path: string
  readonly draft: string
  readonly holder: Holder
  readonly content: string
}

/** One attempt. Returns false if the lock changed meanwhile and another attempt makes sense. */
function claim({ path, draft, holder, content }: Draft, options: LockOptions): boolean {
  if (placeIfFree(draft, path, content)) return true
  const found = lookAtLock(path)
  if (found === undefined) return false
  requireStale(found, path, holder, statSync(draft).mtimeMs - found.beatAt)
  // Only the holder of this second lock may replace a stale one, so that no process removes another's fresh lock.
  const takeover = takeLock(`${path}.takeover`, options)
  try {
    const again = lookAtLock(path)
    if (again?.content !== found.content || again.beatAt !== found.beatAt) return false
    renameSync(draft, path)
    removeDraftOf(path, readHolder(found.content))
    return true
  } finally {
    takeover.release()
  }
}

/** Milliseconds that a lock file may stay empty. Without hard links it is created first and filled later. */
const emptyMs = 5_000

function holderAlive({ content }: FoundLock, self: Holder, silentMs: number): boolean {
  if (content === '') return Math.abs(silentMs) < emptyMs
  const holder = readHolder(content)
  return holder !== undefined && isAlive(holder, self, { silentMs, isRunning })
}

function requireStale(found: FoundLock, path: string, self: Holder, silentMs: number): void {
  if (!holderAlive(found, self, silentMs)) return
  const holder = readHolder(found.content)
  const described =
    holder === undefined ? 'a process that is taking it now' : describe(holder, self, silentMs)
  throw new PipeError('conflict', `${path} is held by ${described}`, {
    details: {
      ...(holder === undefined ? {} : { pid: String(holder.pid), host: holder.host }),
      holder: described,
    },
  })
}

function describe({ pid, host, since, ...space }: Holder, self: Holder, silentMs: number): string {
  const age =
    since === undefined ? '' : `, for ${duration(self.since === undefined ? 0 : self.since - since)}`
  if (sharePids({ host, ...space }, self)) return `process ${pid} on ${host}${age}`
  const machine = host === self.host ? `another container or machine also called ${host}` : host
  const silent = `${duration(silentMs)} ago; the lock of a dead process expires after ${duration(staleMs)}`
  return `process ${pid} on ${machine}${age} (last sign of life ${silent})`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** Removes what a holder left that was killed right after it took the lock. */
function removeDraftOf(path: string, dead: Holder | undefined): void {
  const isName = dead !== undefined && ![dead.host, dead.boot_id, dead.pid_namespace].join('').includes('/')
  if (isName) removeIfThere(draftOf(path, dead))
}

/** A draft name unique to this process, since containers may share host names and pids. */
function draftOf(path: string, { host, pid, boot_id = '', pid_namespace = '' }: Holder): string {
  return [path, host, boot_id.slice(0, 8), pid_namespace, pid].filter((part) => part !== '').join('.')
}
