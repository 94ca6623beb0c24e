import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StoredEvent } from '../../src/event-store.ts'
import type { TaskEvent, TaskView } from '../../src/task.ts'
import { TaskBoard } from '../../src/tasks/board.ts'
import { reduceTask } from '../../src/tasks/reducer.ts'
import { nextStatus } from '../../src/tasks/transition.ts'
import { timestamp } from '../support/messages/messages.ts'
import { isLegal, legalEvents } from '../support/tasks/legal-events.ts'
import { bareEvents, fullEvents, questionId, stored, taskId } from '../support/tasks/task-events.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'
import { thrown } from '../support/thrown.ts'

function boardOf(events: readonly StoredEvent[]): TaskBoard {
  const board = new TaskBoard()
  for (const event of events) board.apply(event)
  return board
}

describe('the board', () => {
  sizedIt('is the same however often events of any legal order are applied', () => {
    let longest = 0
    fc.assert(
      fc.property(legalEvents, (events) => {
        longest = Math.max(longest, events.length)
        const once = boardOf(events)
        const each = boardOf(events.flatMap((event) => [event, event]))
        const all = boardOf([...events, ...events])
        expect(each.all()).toEqual(once.all())
        expect(all.all()).toEqual(once.all())
        expect([each.cursor, all.cursor]).toEqual([once.cursor, once.cursor])
        expect(once.cursor).toBe(events.length)
      }),
      { numRuns: sized(300, 60) },
    )
    expect(longest).toBeGreaterThan(sized(8, 3))
  })

  it('gives each task what its own events say, in whatever way they alternate with others', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        for (const task of boardOf(events).all()) {
          const own = events.filter(({ streamId }) => streamId === task.taskId)
          const twice = own.flatMap((event) => [event, event])
          expect(twice.reduce<TaskView | undefined>(reduceTask, undefined)).toEqual(task)
        }
      }),
    )
  })

  sizedIt('refuses by name every event that cannot happen, and takes every other', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(legalEvents, async (events) => {
        for (const task of boardOf(events).all()) {
          for (const event of [...bareEvents(task.taskId), ...fullEvents(task.taskId)]) {
            const next = { ...event, id: events.length + 1, streamId: task.taskId, seq: task.seq + 1 }
            const after = reduceTask(task, { ...next, createdAt: timestamp })
            if (isLegal(task, event)) {
              expect(after?.status).toBe(nextStatus(task, event))
              continue
            }
            refused++
            const { taskId: task_id, status: from } = task
            expect(await thrown(() => nextStatus(task, event))).toMatchObject({
              code: 'conflict',
              message: expect.stringMatching(`^task ${task_id} cannot [a-z ]+: `),
              details: { task_id, event: event.type, from },
            })
            expect(after).toEqual({ ...task, seq: task.seq + 1 })
          }
        }
      }),
      { numRuns: sized(100, 20) },
    )
    expect(refused).toBeGreaterThan(sized(100, 10))
  })

  it('shows every field of the events', () => {
    const all = fullEvents()
    const [created] = all
    expect(created?.type).toBe('task_created')
    const view = boardOf(stored(all.slice(0, 3))).get(taskId(1))
    const { artifactRefs, options } = created?.type === 'task_created' ? created.payload : {}
    const { parentTaskId, ...others } = options ?? {}
    expect(view).toEqual({
      taskId: taskId(1),
      title: 'Löwe',
      intent: 'Löwe\n\nsee 🦁',
      createdBy: 'user_local',
      agentId: 'agent_pipe',
      priority: 'background',
      status: 'awaiting_user',
      artifactRefs,
      pendingInteractionId: questionId(1),
      lastInteractionId: questionId(1),
      parentTaskId,
      options: others,
      attempt: 1,
      sessionId: expect.any(String),
      worker: 'process 7 on ada',
      workFolder: '/home/ada/project',
      seq: 3,
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    const { pendingInteractionId: _, ...answered } = view ?? {}
    expect(boardOf(stored(all.slice(0, 5))).get(taskId(1))).toEqual({
      ...answered,
      status: 'done',
      summary: 'all done',
      seq: 5,
    })
    const at = (index: number) => all.slice(index, index + 1)
    expect(boardOf(stored([...all.slice(0, 2), ...at(5)])).get(taskId(1))).toMatchObject({
      status: 'failed',
      reason: 'no key',
      code: 41,
    })
    expect(boardOf(stored([...all.slice(0, 1), ...at(6)])).get(taskId(1))).toMatchObject({
      status: 'canceled',
      reason: 'changed my mind',
    })
  })

  it('names the children of a task', () => {
    const child = (number: number): TaskEvent => ({
      type: 'task_created',
      payload: {
        taskId: taskId(number),
        authorActorId: 'agent_pipe',
        title: 't',
        intent: 'i',
        priority: 'normal',
        agentId: 'agent_pipe',
        options: { parentTaskId: taskId(1) },
      },
    })
    const board = boardOf(stored([...bareEvents().slice(0, 1), child(2), child(3)]))
    expect(board.get(taskId(1))?.childTaskIds).toEqual([taskId(2), taskId(3)])
    expect(board.get(taskId(2))).toMatchObject({ parentTaskId: taskId(1) })
  })

  it('counts an event that cannot happen, and shows nothing of it', () => {
    const [created, , , , completed] = bareEvents()
    const events = [created, completed].filter((event) => event !== undefined)
    expect(boardOf(stored(events)).all()).toMatchObject([{ status: 'open', seq: 2 }])
    expect(boardOf(stored(events.slice(1))).all()).toEqual([])
  })

  it('finds a task by the beginning of its id', async () => {
    const events = [1, 2].flatMap((number) => bareEvents(taskId(number)).slice(0, 1))
    const board = boardOf(stored(events))
    expect(board.find(taskId(2)).taskId).toBe(taskId(2))
    const alone = boardOf(stored(events.slice(0, 1)))
    expect(alone.find('AAAA').taskId).toBe(taskId(1))
    expect(await thrown(() => board.find('AAAA'))).toMatchObject({
      code: 'input',
      message: `several tasks begin with AAAA: ${taskId(1)}, ${taskId(2)}`,
    })
    for (const [text, hint] of [
      ['AAA', 'give 4 or more characters of the id'],
      ['ZZZZ', 'pipe task lists them'],
      ['', 'give 4 or more characters of the id'],
    ] as const)
      expect(await thrown(() => board.find(text))).toMatchObject({
        code: 'input',
        message: `there is no task ${JSON.stringify(text)}; ${hint}`,
      })
  })
})
