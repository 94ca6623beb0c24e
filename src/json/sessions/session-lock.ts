import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { hasCode, PipeError, throwIfAborted } from '../../error.ts'
import { type Lock, waitForLock } from '../../files/lock/lock.ts'
import { readSessionId, type SessionId } from '../../id.ts'

/** A process that writes sessions. */
export interface SessionWriter {
  /** Absolute folder of the sessions. */
  readonly directory: string
  readonly clock: Clock
  /** The process that holds the locks, and its machine. */
  readonly pid: number
  readonly host: string
  /** Milliseconds to wait for a session that another process writes. Default: 0. */
  readonly waitMs?: number | undefined
}

/** Returns the path of a session's file with this ending. Checks the id despite its type, as it may come from outside. */
export function sessionPath(directory: string, id: SessionId, ending: string): string {
  return join(directory, readSessionId(id) + ending)
}

/** Takes the lock of a session. Throws `conflict` that names its writer. */
export async function lockSession(
  id: SessionId,
  { directory, pid, host, clock, waitMs = 0 }: SessionWriter,
  signal: AbortSignal,
): Promise<Lock> {
  throwIfAborted(signal)
  const path = sessionPath(directory, id, '.lock')
  try {
    return await waitForLock(path, { pid, host, clock, signal, waitMs })
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error
    const holder = error.details['holder']
    throw new PipeError(
      'conflict',
      `session ${id} is being written by ${holder}; end that process, wait for it with --wait-lock 30s, or continue in a copy with --fork (lock file: ${path})`,
      { cause: error, details: error.details },
    )
  }
}
