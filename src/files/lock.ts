import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { PipeError, throwIfAborted } from '../error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { present } from '../present.ts'
import { isRunning, processStart } from './process-start.ts'
import { fileError, systemCode } from './system-error.ts'

export interface Lock {
  /** Gives the lock back. Any number of times. */
  release(): Promise<void>
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
export async function takeLock(path: string, options: LockOptions): Promise<Lock> {
  // Linked from a draft, the lock file is whole from its first moment: a damaged one has no living holder.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const start = await processStart(options.pid)
  try {
    await writeFile(draft, JSON.stringify({ pid: options.pid, host: options.host, ...present({ start }) }), {
      flag: 'wx',
      mode: 0o600,
    })
    while (!(await claim(draft, path, options))) throwIfAborted(options.signal)
  } catch (error) {
    throw fileError(error, path, 'lock')
  } finally {
    await rm(draft, { force: true })
  }
  let held = true
  return {
    release: async () => {
      if (!held) return
      held = false
      await rm(path, { force: true })
    },
  }
}

/** One try; false where the lock changed under our eyes and another try makes sense. */
async function claim(draft: string, path: string, options: LockOptions): Promise<boolean> {
  if (await linkIfFree(draft, path)) return true
  const found = await readIfThere(path)
  if (found === undefined) return false
  await requireStale(found, path, options.host)
  // Only who holds this second lock may replace a stale one, so that no process removes another's fresh lock.
  const takeover = await takeLock(`${path}.takeover`, options)
  try {
    if ((await readIfThere(path)) !== found) return false
    await rename(draft, path)
    return true
  } finally {
    await takeover.release()
  }
}

async function requireStale(found: string, path: string, host: string): Promise<void> {
  const holder = parseJson(found)
  if (!isHolder(holder)) return
  if (holder.host === host && !(await isRunning(holder.pid, holder.start))) return
  throw new PipeError('conflict', `${path} is held by process ${holder.pid} on ${holder.host}`, {
    details: { pid: String(holder.pid), host: holder.host },
  })
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

async function linkIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
