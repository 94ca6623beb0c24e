import { lstatSync, rmSync } from 'node:fs'
import { PipeError } from '../../../error.ts'
import { type Lock, waitForLock } from '../../../files/lock/lock.ts'
import { lookAtSocket } from '../../../hono/socket-file.ts'
import { usageError } from '../../flags.ts'
import { lockHolder, type Machine } from '../../machine.ts'

/** Bytes that every system takes. Longer paths are cut without an error. */
const longest = 103

/**
 * Makes room for a socket file: removes one that a server left over. Returns a lock to hold until the new server listens. Throws
 * `conflict` if a server listens there, `usage` for a path that is too long or that something else has.
 */
export async function claimSocket(path: string, machine: Machine, signal: AbortSignal): Promise<Lock> {
  if (Buffer.byteLength(path) > longest)
    throw usageError(`the path of a socket may have at most ${longest} bytes: ${path}`)
  const lock = await waitForLock(`${path}.lock`, lockHolder(machine, signal))
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return lock
    if (!found.isSocket()) throw usageError(`${path} already exists, and is not a socket`)
    if ((await lookAtSocket(path)) === 'listening')
      throw new PipeError('conflict', `another program is already listening on ${path}`)
    rmSync(path, { force: true })
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}
