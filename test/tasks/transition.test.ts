import { describe, expect, it } from 'vitest'
import { isPipeError } from '../../src/error.ts'
import type { TaskEvent, TaskStatus, TaskView } from '../../src/task.ts'
import { isOver, taskStatuses } from '../../src/task.ts'
import { reduceTask } from '../../src/tasks/reducer.ts'
import { nextStatus } from '../../src/tasks/transition.ts'
import { bareEvents, fullEvents, questionId, stored, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'

const [created, started, asked, answered, completed, failed, canceled] = bareEvents()

/** The events that lead to each status. */
const ways: Readonly<Record<TaskStatus, readonly (TaskEvent | undefined)[]>> = {
  open: [created],
  in_progress: [created, started],
  awaiting_user: [created, started, asked],
  done: [created, started, completed],
  failed: [created, started, failed],
  canceled: [created, canceled],
}

function taskIn(status: TaskStatus): TaskView | undefined {
  const events = ways[status].filter((event) => event !== undefined)
  return stored(events).reduce<TaskView | undefined>(reduceTask, undefined)
}

/** The status after each event, by the status before it. Absent pairs are refused. */
const outcomes: Readonly<Record<TaskEvent['type'], Readonly<Partial<Record<TaskStatus, TaskStatus>>>>> = {
  task_created: {},
  task_started: { open: 'in_progress', in_progress: 'in_progress' },
  user_interaction_requested: { in_progress: 'awaiting_user' },
  user_interaction_responded: { awaiting_user: 'in_progress' },
  task_completed: { in_progress: 'done' },
  task_failed: { open: 'failed', in_progress: 'failed', awaiting_user: 'failed' },
  task_canceled: { open: 'canceled', in_progress: 'canceled', awaiting_user: 'canceled' },
}

describe('a task', () => {
  const pairs = taskStatuses.flatMap((status) => bareEvents().map((event) => ({ status, event })))

  it.each(pairs)(
    'that is $status takes or refuses $event.type as the table says',
    async ({ status, event }) => {
      const task = taskIn(status)
      expect(task?.status).toBe(status)
      const expected = outcomes[event.type][status]
      if (expected !== undefined) return expect(nextStatus(task, event)).toBe(expected)
      const why = event.type === 'task_created' ? 'it already exists' : `it is ${status}`
      expect(await thrown(() => nextStatus(task, event))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(new RegExp(`^task ${taskId(1)} cannot [a-z ]+: ${why}$`)),
        details: { task_id: taskId(1), event: event.type, from: status },
      })
    },
  )

  it.each(bareEvents().slice(-1))('says in words that $type is refused', async (event) => {
    const { message } = Object(await thrown(() => nextStatus(taskIn('done'), event)))
    expect(message).toBe(`task ${taskId(1)} cannot be canceled: it is done`)
  })

  it.each(bareEvents().slice(1))('that does not exist refuses $type', async (event) => {
    const error = await thrown(() => nextStatus(undefined, event))
    expect(isPipeError(error) && [error.code, error.details]).toEqual([
      'conflict',
      { task_id: taskId(1), event: event.type },
    ])
  })

  it('is over when no event is left', () => {
    const last = taskStatuses.filter((status) =>
      Object.values(outcomes).every((next) => next[status] === undefined),
    )
    expect(taskStatuses.filter((status) => isOver({ status }))).toEqual(last)
  })

  it('is taken over only by the attempt that follows the last one', async () => {
    const takeover = (attempt: number): TaskEvent => ({
      type: 'task_started',
      payload: { taskId: taskId(1), authorActorId: 'agent_b', agentId: 'agent_b', options: { attempt } },
    })
    const task = taskIn('in_progress')
    expect(nextStatus(task, takeover(2))).toBe('in_progress')
    for (const attempt of [0, 1, 3])
      expect(await thrown(() => nextStatus(task, takeover(attempt)))).toMatchObject({
        message: `task ${taskId(1)} cannot start: its next attempt is number 2, not ${attempt}`,
      })
  })

  it('takes an answer only to the question that waits', async () => {
    const answer: TaskEvent = {
      type: 'user_interaction_responded',
      payload: { taskId: taskId(1), authorActorId: 'user_local', interactionId: questionId(2) },
    }
    expect(await thrown(() => nextStatus(taskIn('awaiting_user'), answer))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`it waits for an answer to ${questionId(1)}, not to ${questionId(2)}`),
    })
  })
})

it('the events of both kinds cover every type', () => {
  const types = [created, started, asked, answered, completed, failed, canceled].map((event) => event?.type)
  expect(fullEvents().map(({ type }) => type)).toEqual(types)
  expect(types.toSorted()).toEqual(Object.keys(outcomes).toSorted())
})
