import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { hasCode, PipeError, throwIfAborted } from '../../error.ts'
import type { TaskClaim, TaskClaims } from '../../event-store.ts'
import { type Lock, takeLock } from '../../files/lock/lock.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { isTaskId, type TaskId } from '../../id.ts'

export interface TaskClaimsOptions {
  /** Absolute. Created with mode 0700 at the first claim. */
  readonly directory: string
  readonly clock: Clock
  /** The process that claims, and its machine. */
  readonly pid: number
  readonly host: string
}

/**
 * Claims tasks by a lock file `<id>.lock` each. A claim ends at once with its process, and after 25 s without a sign of life if that runs
 * on another machine.
 */
export function createTaskClaims(options: TaskClaimsOptions): TaskClaims {
  return { claim: (taskId, { signal }) => claim(taskId, { ...options, signal }) }
}

/** Milliseconds between looks at the lock file of a claim. */
const lookMs = 1_000

async function claim(
  taskId: TaskId,
  { directory, ...holder }: TaskClaimsOptions & { readonly signal: AbortSignal },
): Promise<TaskClaim | undefined> {
  throwIfAborted(holder.signal)
  // Checks the id despite its type, as it becomes a part of a path.
  if (!isTaskId(taskId)) throw new PipeError('invalid', `not the id of a task: ${JSON.stringify(taskId)}`)
  makePrivateFolder(directory)
  try {
    return new FileClaim(takeLock(join(directory, `${taskId}.lock`), holder), holder.clock)
  } catch (error) {
    if (hasCode(error, 'conflict')) return undefined
    throw error
  }
}

class FileClaim implements TaskClaim {
  readonly #lock: Lock
  readonly #lost = new AbortController()
  readonly #stopLooking: () => void

  constructor(lock: Lock, clock: Clock) {
    this.#lock = lock
    this.#stopLooking = clock.every(lookMs, () => this.#look())
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async release(): Promise<void> {
    this.#stopLooking()
    this.#lock.release()
  }

  #look(): void {
    try {
      this.#lock.requireHeld()
    } catch (error) {
      this.#stopLooking()
      this.#lost.abort(error)
    }
  }
}
