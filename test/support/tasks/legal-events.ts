import fc from 'fast-check'
import type { StoredEvent } from '../../../src/event-store.ts'
import type { TaskEvent, TaskView } from '../../../src/task.ts'
import { reduceTask } from '../../../src/tasks/reducer.ts'
import { nextStatus } from '../../../src/tasks/transition.ts'
import { timestamp } from '../messages/messages.ts'
import { bareEvents, fullEvents, taskId } from './task-events.ts'

/** Whether an event can happen to a task. */
export function isLegal(task: TaskView | undefined, event: TaskEvent): boolean {
  try {
    nextStatus(task, event)
    return true
  } catch {
    return false
  }
}

/** Events of a few tasks in any order in which each of them is legal. */
export const legalEvents = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(6), fc.boolean()), { maxLength: 60, size: 'max' })
  .map((choices) => {
    const tasks = new Map<string, TaskView>()
    const events: StoredEvent[] = []
    for (const [number, type, isFull] of choices) {
      const id = taskId(number)
      const task = tasks.get(id)
      const offered = (isFull ? fullEvents(id) : bareEvents(id))[type]
      if (offered === undefined || !isLegal(task, offered)) continue
      const event = {
        ...offered,
        id: events.length + 1,
        streamId: id,
        seq: (task?.seq ?? 0) + 1,
        createdAt: timestamp,
      }
      events.push(event)
      const reduced = reduceTask(task, event)
      if (reduced !== undefined) tasks.set(id, reduced)
    }
    return events
  })
