import { isPipeError } from '../../../error.ts'
import type { EventStore } from '../../../event-store.ts'
import { FolderChanges } from '../../../files/walk/folder-changes.ts'
import type { TaskId } from '../../../id.ts'
import type { TaskView } from '../../../task.ts'
import { Bell } from '../../../tasks/bell.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import type { Machine } from '../../machine.ts'
import { withTaskStores } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'

/** Milliseconds in which changes are taken together: an append changes several files. */
const settleMs = 50

/** Folds the events of all tasks once, for all who follow the board, and goes on while somebody does. */
export class FollowedTasks {
  readonly #machine: Machine
  readonly #folder: string | undefined
  /** Absent while nobody follows. */
  #fold: TaskFold | undefined

  /** `folder` holds the log of events; `undefined` if a database keeps them. */
  constructor(machine: Machine, folder: string | undefined) {
    this.#machine = machine
    this.#folder = folder
  }

  /**
   * Returns all tasks with every event that is stored now, also those that followers are about to be told of; `undefined` if nobody follows
   * them. Throws what the store throws.
   */
  async board(signal: AbortSignal): Promise<TaskBoard | undefined> {
    return this.#fold?.upToDate(signal)
  }

  /** Yields all tasks, then those that changed, until the signal fires. Throws what the store throws. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    this.#fold ??= new TaskFold(this.#machine, this.#folder)
    const fold = this.#fold
    const follower = fold.join()
    const wake = () => follower.bell.ring()
    signal.addEventListener('abort', wake, { once: true })
    try {
      while (!signal.aborted) {
        const news = fold.takeNews(follower)
        if (news === undefined) await follower.bell.heard()
        else yield news
      }
      return undefined
    } finally {
      signal.removeEventListener('abort', wake)
      fold.leave(follower)
      if (fold.isOver && this.#fold === fold) this.#fold = undefined
    }
  }
}

/** Somebody who follows the board. */
interface Follower {
  /** Rings when there may be news. */
  readonly bell: Bell
  /** Tasks that changed since the follower last looked; `undefined` before its first look, when all are news. */
  changed: Set<TaskId> | undefined
}

type FoldState =
  | { readonly type: 'reading' }
  | { readonly type: 'ready'; readonly board: TaskBoard; readonly events: EventStore }
  | { readonly type: 'failed'; readonly error: unknown }

/** One fold of the events, from its first follower to its last. */
class TaskFold {
  readonly #followers = new Set<Follower>()
  readonly #stop = new AbortController()
  #state: FoldState = { type: 'reading' }

  constructor(machine: Machine, folder: string | undefined) {
    void this.#run(machine, folder)
  }

  /** Whether the last follower has left. */
  get isOver(): boolean {
    return this.#stop.signal.aborted
  }

  join(): Follower {
    const follower: Follower = { bell: new Bell(), changed: undefined }
    this.#followers.add(follower)
    return follower
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    if (this.#followers.size === 0) this.#stop.abort()
  }

  /** Returns the tasks that are news to a follower; `undefined` if there are none yet. Throws what ended the fold. */
  takeNews(follower: Follower): readonly TaskView[] | undefined {
    const state = this.#state
    if (state.type === 'failed') throw state.error
    if (state.type === 'reading' || follower.changed?.size === 0) return undefined
    const { changed } = follower
    follower.changed = new Set()
    if (changed === undefined) return state.board.all()
    return [...changed].flatMap((id) => state.board.get(id) ?? [])
  }

  /** Returns the board with every stored event; `undefined` if the fold is not ready, or is over meanwhile. */
  async upToDate(signal: AbortSignal): Promise<TaskBoard | undefined> {
    const state = this.#state
    if (state.type !== 'ready') return undefined
    const { board, events } = state
    try {
      for await (const event of events.readAll({ signal, after: board.cursor })) board.apply(event)
      return board
    } catch (error) {
      // The end of the fold closes the store.
      if (this.isOver || this.#state !== state) return undefined
      throw error
    }
  }

  /** Folds until the last follower leaves. A failure reaches all followers. */
  async #run(machine: Machine, folder: string | undefined): Promise<void> {
    const { clock } = machine
    const { signal } = this.#stop
    const changes = folder === undefined ? undefined : new FolderChanges(folder, clock)
    const untilNextLook =
      changes &&
      (async (stop: AbortSignal) => {
        await changes.next(stop)
        await clock.sleep(settleMs, stop)
      })
    try {
      await withTaskStores(machine, ({ events }) => this.#fold(events, signal), { untilNextLook })
    } catch (error) {
      if (signal.aborted && isPipeError(error)) return
      this.#enter({ type: 'failed', error })
    } finally {
      changes?.close()
    }
  }

  async #fold(events: EventStore, signal: AbortSignal): Promise<void> {
    const board = await readBoard(events, signal)
    this.#enter({ type: 'ready', board, events })
    for await (const event of events.watch({ signal, after: board.cursor })) {
      board.apply(event)
      for (const { changed } of this.#followers) changed?.add(event.payload.taskId)
      this.#wakeAll()
    }
  }

  #enter(state: FoldState): void {
    this.#state = state
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const { bell } of this.#followers) bell.ring()
  }
}
