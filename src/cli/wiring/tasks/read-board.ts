import { failureOf } from '../../../error.ts'
import type { EventStore } from '../../../event-store.ts'
import { boardProjection } from '../../../json/tasks/board-projection.ts'
import { TaskBoard } from '../../../tasks/board.ts'

/** Folds all events into the board of tasks: those of before from a saved state, which it renews now and then. */
export async function readBoard(store: EventStore, signal: AbortSignal): Promise<TaskBoard> {
  const saved = await store.getProjection(boardProjection, { signal })
  const board = new TaskBoard(saved)
  const { cursorEventId: after } = saved
  for await (const event of store.readAll({ signal, after })) board.apply(event)
  if (board.cursor - after >= manyEvents) await save(board, store, signal)
  return board
}

/** Events whose reading takes longer than that of a saved state. */
const manyEvents = 1_000

async function save(board: TaskBoard, store: EventStore, signal: AbortSignal): Promise<void> {
  const state = { cursorEventId: board.cursor, state: board.all() }
  // Without it the next reading takes longer, which is no reason to fail.
  await failureOf(store.saveProjection(boardProjection, state, { signal }))
}
