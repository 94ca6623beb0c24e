import { PipeError } from '../../../src/error.ts'
import type { StoredEvent } from '../../../src/event-store.ts'
import type { TaskActions } from '../../../src/frontend/task-actions.ts'
import type { TaskId } from '../../../src/id.ts'
import type { Interaction, InteractionResponse } from '../../../src/interaction.ts'
import type { TaskEvent, TaskView } from '../../../src/task.ts'
import { TaskBoard } from '../../../src/tasks/board.ts'
import { stored } from './task-events.ts'

/** A board in memory, and what was done with it. */
export interface TaskActionsInMemory extends TaskActions {
  readonly acts: readonly (readonly unknown[])[]
  /** Adds an event, as another process does. */
  append(...events: readonly TaskEvent[]): void
}

interface TaskActionsOptions {
  readonly events?: readonly TaskEvent[]
  readonly questions?: ReadonlyMap<TaskId, Interaction>
  /** Diffs of finished tasks. */
  readonly diffs?: ReadonlyMap<TaskId, string>
}

/** Creates a board of tasks in memory. */
export function createTaskActions({
  events = [],
  questions = new Map(),
  diffs,
}: TaskActionsOptions = {}): TaskActionsInMemory {
  const all: TaskEvent[] = [...events]
  const acts: (readonly unknown[])[] = []
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const board = () => {
    const folded = new TaskBoard()
    for (const event of stored(all)) folded.apply(event)
    return folded
  }
  const append = (...more: readonly TaskEvent[]) => {
    all.push(...more)
    wakeAll()
  }
  async function* follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    signal.addEventListener('abort', wakeAll)
    for (let seen = -1; ; ) {
      if (signal.aborted) return undefined
      const folded = board()
      const changed = new Set(
        stored(all)
          .slice(Math.max(0, seen))
          .map((event: StoredEvent) => event.streamId),
      )
      if (seen < all.length) yield folded.all().filter(({ taskId }) => changed.has(taskId))
      seen = stored(all).length
      if (all.length === seen) await new Promise<void>((resolve) => waiting.add(resolve))
    }
  }
  return {
    acts,
    append,
    follow,
    list: async () => board().all(),
    find: async (id) => board().get(id),
    async *events(id, { after = 0, signal }) {
      let seen = after
      for await (const _ of follow(signal))
        for (const event of stored(all))
          if (event.streamId === id && event.id > seen) {
            seen = event.id
            yield event
          }
      return undefined
    },
    async *questions(signal) {
      const asking = () =>
        board()
          .all()
          .filter(({ status }) => status === 'awaiting_user').length
      for await (const _ of follow(signal)) yield asking()
      return undefined
    },
    add: async (text) => {
      acts.push(['add', text])
      const [task] = board().all()
      if (task === undefined) throw new PipeError('internal', 'the board is empty')
      return { ...task, title: text }
    },
    details: async (id) => ({
      facts: [
        ['id', id],
        ['priority', 'normal'],
      ],
      log: ['added  by user_local'],
    }),
    question: async (id) => questions.get(id),
    answer: async (id: TaskId, response: InteractionResponse) => void acts.push(['answer', id, response]),
    cancel: async (id) => void acts.push(['cancel', id]),
    ...(diffs === undefined
      ? {}
      : {
          diff: async (id: TaskId) => diffs.get(id) ?? '',
          apply: async (id: TaskId) => {
            acts.push(['apply', id])
            return 'applied: a.ts'
          },
        }),
  }
}
