import type { Clock } from '../../clock.ts'
import { isPipeError, throwIfAborted } from '../../error.ts'
import type { EventStore } from '../../event-store.ts'
import { FolderChanges } from '../../files/folder-changes.ts'
import type { TaskId } from '../../id.ts'
import { createEventStore } from '../../json/tasks/event-store.ts'
import type { TaskView } from '../../task.ts'
import { TaskBoard } from '../../tasks/board.ts'
import type { Machine } from '../machine.ts'

/** Events that are folded before keys and timers get their turn. */
const burst = 500
/** Milliseconds in which changes are taken together: an append changes several files. */
const settleMs = 50

/** Somebody who follows the board. */
interface Follower {
  /** Tasks that changed since the follower last looked. */
  readonly changed: Set<TaskId>
  readonly wake: () => void
}

/** Folds the events of all tasks once, for all who follow the board, and goes on while somebody does. */
export class FollowedTasks {
  /** All tasks as far as they are read. */
  readonly board = new TaskBoard()
  readonly #machine: Machine
  readonly #directory: string
  readonly #followers = new Set<Follower>()
  /** Whether the board has all events that were there. */
  #isWhole = false
  #stop = new AbortController()
  #failure: { readonly error: unknown } | undefined

  /** `directory` holds the log of events. */
  constructor(machine: Machine, directory: string) {
    this.#machine = machine
    this.#directory = directory
  }

  /** Yields all tasks, then those that changed, until the signal fires. Throws what the store throws. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    const changed = new Set<TaskId>()
    let wake: () => void = () => undefined
    const follower = { changed, wake: () => wake() }
    signal.addEventListener('abort', follower.wake, { once: true })
    this.#begin(follower)
    try {
      let isFirst = true
      for (;;) {
        const isReady = this.#isWhole && (isFirst || changed.size > 0)
        if (signal.aborted) return
        if (this.#failure !== undefined) throw this.#failure.error
        if (!isReady) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          continue
        }
        const tasks = isFirst ? this.board.all() : [...changed].flatMap((id) => this.board.get(id) ?? [])
        isFirst = false
        changed.clear()
        yield tasks
      }
    } finally {
      signal.removeEventListener('abort', follower.wake)
      this.#followers.delete(follower)
      if (this.#followers.size === 0) this.#stop.abort()
    }
  }

  #begin(follower: Follower): void {
    const isFirst = this.#followers.size === 0
    this.#followers.add(follower)
    if (!isFirst) return
    this.#isWhole = false
    this.#failure = undefined
    this.#stop = new AbortController()
    void this.#fold(this.#stop.signal)
  }

  /** Folds events until the signal fires. A failure reaches all followers. */
  async #fold(signal: AbortSignal): Promise<void> {
    const changes = new FolderChanges(this.#directory, this.#machine.clock)
    const store = this.#open(changes)
    try {
      let count = 0
      for await (const event of store.watch({ signal, after: this.board.cursor })) {
        this.board.apply(event)
        for (const { changed } of this.#followers) changed.add(event.payload.taskId)
        if (++count % burst === 0) await this.#machine.clock.sleep(0, signal)
      }
    } catch (error) {
      if (signal.aborted && isPipeError(error)) return
      this.#failure = { error }
      this.#wakeAll()
    } finally {
      changes.close()
      await store.close()
    }
  }

  /** Opens the log so that the pauses of its watch last until something changes. */
  #open(changes: FolderChanges): EventStore {
    const { clock, pid, hostname: host } = this.#machine
    const sleep: Clock['sleep'] = async (_, signal) => {
      this.#isWhole = true
      this.#wakeAll()
      throwIfAborted(signal)
      await changes.next(signal)
      await clock.sleep(settleMs, signal)
    }
    // A warning would tear the screen. `pipe task` shows it.
    const warn = () => undefined
    return createEventStore({ directory: this.#directory, clock: withSleep(clock, sleep), pid, host, warn })
  }

  #wakeAll(): void {
    for (const { wake } of this.#followers) wake()
  }
}

function withSleep(clock: Clock, sleep: Clock['sleep']): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, action) => clock.after(ms, action),
    every: (ms, action) => clock.every(ms, action),
    sleep,
  }
}
