import type { Clock } from '../../clock.ts'
import { isPipeError } from '../../error.ts'
import type { EventStore } from '../../event-store.ts'
import { FolderChanges } from '../../files/folder-changes.ts'
import type { TaskId } from '../../id.ts'
import type { TaskView } from '../../task.ts'
import type { TaskBoard } from '../../tasks/board.ts'
import type { Machine } from '../machine.ts'
import { openTaskStores, readBoard } from '../wiring/tasks.ts'

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
  readonly #machine: Machine
  /** The folder of the log of events; `undefined` if a database keeps them. */
  readonly #folder: string | undefined
  readonly #followers = new Set<Follower>()
  #board: TaskBoard | undefined
  #events: EventStore | undefined
  #stop = new AbortController()
  #failure: { readonly error: unknown } | undefined

  constructor(machine: Machine, folder: string | undefined) {
    this.#machine = machine
    this.#folder = folder
  }

  /**
   * Returns all tasks with every event that is stored now, also those that followers are about to be told of; `undefined` if nobody follows
   * them. Throws what the store throws.
   */
  async board(signal: AbortSignal): Promise<TaskBoard | undefined> {
    const [board, events] = [this.#board, this.#events]
    if (this.#followers.size === 0 || board === undefined || events === undefined) return undefined
    try {
      for await (const event of events.readAll({ signal, after: board.cursor })) board.apply(event)
      return board
    } catch (error) {
      // The last follower left meanwhile, which closes the store.
      if (this.#events === events) throw error
      return undefined
    }
  }

  /** Yields all tasks, then those that changed, until the signal fires. Throws what the store throws. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    const changed = new Set<TaskId>()
    let wake: () => void = () => undefined
    const follower = { changed, wake: () => wake() }
    signal.addEventListener('abort', follower.wake, { once: true })
    this.#begin(follower)
    try {
      for (let isFirst = true; ; ) {
        if (signal.aborted) return undefined
        if (this.#failure !== undefined) throw this.#failure.error
        const tasks = this.#board === undefined ? [] : isFirst ? this.#board.all() : this.#named(changed)
        const isReady = this.#board !== undefined && (isFirst || changed.size > 0)
        if (isReady) {
          isFirst = false
          changed.clear()
          yield tasks
        } else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      signal.removeEventListener('abort', follower.wake)
      this.#followers.delete(follower)
      if (this.#followers.size === 0) this.#stop.abort()
    }
  }

  #named(ids: ReadonlySet<TaskId>): readonly TaskView[] {
    return [...ids].flatMap((id) => this.#board?.get(id) ?? [])
  }

  #begin(follower: Follower): void {
    const isFirst = this.#followers.size === 0
    this.#followers.add(follower)
    if (!isFirst) return
    this.#board = undefined
    this.#events = undefined
    this.#failure = undefined
    this.#stop = new AbortController()
    void this.#fold(this.#stop.signal)
  }

  /** Folds events until the signal fires. A failure reaches all followers. */
  async #fold(signal: AbortSignal): Promise<void> {
    const { clock } = this.#machine
    const changes = this.#folder === undefined ? undefined : new FolderChanges(this.#folder, clock)
    const machine =
      changes === undefined ? this.#machine : { ...this.#machine, clock: pausing(clock, changes) }
    const stores = await openTaskStores(machine)
    try {
      const board = await readBoard(stores.events, signal)
      const { cursor: after } = board
      this.#board = board
      this.#events = stores.events
      this.#wakeAll()
      for await (const event of stores.events.watch({ signal, after })) {
        board.apply(event)
        for (const { changed } of this.#followers) changed.add(event.payload.taskId)
        this.#wakeAll()
      }
    } catch (error) {
      if (signal.aborted && isPipeError(error)) return
      this.#failure = { error }
      this.#wakeAll()
    } finally {
      if (this.#events === stores.events) this.#events = undefined
      changes?.close()
      await stores.close()
    }
  }

  #wakeAll(): void {
    for (const { wake } of this.#followers) wake()
  }
}

/** Returns a clock whose sleeps, the pauses of a watch, last until something changes in the folder. */
function pausing(clock: Clock, changes: FolderChanges): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, action) => clock.after(ms, action),
    every: (ms, action) => clock.every(ms, action),
    sleep: async (_, signal) => {
      await changes.next(signal)
      await clock.sleep(settleMs, signal)
    },
  }
}
