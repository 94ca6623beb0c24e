import { describe, expect, it } from 'vitest'
import type { EventStore } from '../../src/event-store.ts'
import { addTask, answerTask, cancelTask, retryTask, type TaskDraft } from '../../src/tasks/task-change.ts'
import { openEvents, readEvents, signal } from '../json/tasks/event-log.ts'
import { folderWith } from '../support/folders/folder.ts'
import { countingIds } from '../support/messages/ids.ts'
import { timestamp } from '../support/messages/messages.ts'
import { bareEvents, fullEvents, questionId, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'

const draft: TaskDraft = {
  authorActorId: 'user_local',
  title: 'fix it',
  intent: 'fix it\nnow',
  priority: 'foreground',
  agentId: 'agent_pipe',
  options: { repo: '/project' },
}
const author = 'user_local'

async function openStore() {
  const store = openEvents(await folderWith())
  return { store, changing: { store, signal, newId: countingIds() } }
}

describe('adding a task', () => {
  it('stores it and returns its view', async () => {
    const { store, changing } = await openStore()
    const task = await addTask(draft, changing)
    const { authorActorId: createdBy, ...facts } = draft
    expect(task).toEqual({
      taskId: task.taskId,
      createdBy,
      status: 'open',
      seq: 1,
      ...facts,
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    expect(await readEvents(store)).toMatchObject([{ id: 1, type: 'task_created', streamId: task.taskId }])
  })

  it.each(['after', 'parentTaskId', 'retryOf'])('is refused if its %s does not exist', async (field) => {
    const { store, changing } = await openStore()
    const named = { ...draft, options: { [field]: taskId(7) } }
    expect(await thrown(() => addTask(named, changing))).toMatchObject({
      code: 'conflict',
      message: `there is no task ${taskId(7)}`,
    })
    expect(await readEvents(store)).toEqual([])
  })
})

describe('canceling a task', () => {
  it('ends it with the reason, once', async () => {
    const { store, changing } = await openStore()
    const { taskId: id } = await addTask(draft, changing)
    const canceled = await cancelTask(id, { author, reason: 'too late' }, changing)
    expect(canceled).toMatchObject({ status: 'canceled', reason: 'too late', seq: 2 })
    expect(await thrown(() => cancelTask(id, { author }, changing))).toMatchObject({
      code: 'conflict',
      message: `task ${id} cannot be canceled: it is canceled`,
    })
    expect(await readEvents(store)).toHaveLength(2)
  })

  it('follows a change that another process makes at the same time', async () => {
    const { store, changing } = await openStore()
    const { taskId: id } = await addTask(draft, changing)
    let isFirst = true
    const overtaken: EventStore = Object.create(store, {
      append: {
        value: async (...args: Parameters<EventStore['append']>) => {
          if (isFirst) {
            isFirst = false
            await store.append(id, bareEvents(id).slice(1, 2), { signal })
          }
          return store.append(...args)
        },
      },
      readStream: { value: store.readStream.bind(store) },
    })
    expect(await cancelTask(id, { author }, { ...changing, store: overtaken })).toMatchObject({
      status: 'canceled',
      attempt: 1,
      seq: 3,
    })
  })
})

describe('answering a task', () => {
  const yes = { interactionId: questionId(1), answeredBy: 'user_bea', selectedOptionId: 'yes' }
  const parts = [{ interactionId: questionId(2), answeredBy: 'user_bea', inputValue: 'because' }]

  async function openAsking() {
    const { store, changing } = await openStore()
    await store.append(taskId(1), fullEvents().slice(0, 3), { signal })
    return { store, changing }
  }

  it('lets it go on, in the name of who answers, once', async () => {
    const { store, changing } = await openAsking()
    const task = await answerTask(taskId(1), { ...yes, parts, comment: 'go on' }, changing)
    expect(task).toMatchObject({ status: 'in_progress', lastInteractionId: questionId(1), seq: 4 })
    expect(task.pendingInteractionId).toBeUndefined()
    expect((await readEvents(store)).at(-1)).toMatchObject({
      type: 'user_interaction_responded',
      payload: {
        taskId: taskId(1),
        interactionId: questionId(1),
        authorActorId: 'user_bea',
        selectedOptionId: 'yes',
        comment: 'go on',
        parts,
      },
    })
    expect(await thrown(() => answerTask(taskId(1), { ...yes, parts }, changing))).toMatchObject({
      code: 'conflict',
      message: `task ${taskId(1)} cannot be answered: it is in_progress`,
    })
    expect(await readEvents(store)).toHaveLength(4)
  })

  it.each([
    [{ ...yes, selectedOptionId: 'maybe', parts }, 'invalid', 'no option maybe: choose yes'],
    [yes, 'invalid', 'no answer to: Why?'],
    [{ ...yes, cancelled: true }, 'invalid', 'a question that was left has no answer'],
    [
      { ...yes, interactionId: questionId(2) },
      'conflict',
      `task ${taskId(1)} cannot be answered: it waits for an answer to ${questionId(1)}, not to ${questionId(2)}`,
    ],
  ])('is refused where the answer does not fit: %o', async (answer, code, message) => {
    const { store, changing } = await openAsking()
    expect(await thrown(() => answerTask(taskId(1), answer, changing))).toMatchObject({ code, message })
    expect(await readEvents(store)).toHaveLength(3)
  })
})

describe('retrying a task', () => {
  it('creates one like it that names it', async () => {
    const { changing } = await openStore()
    const first = await addTask(draft, changing)
    expect(await thrown(() => retryTask(first.taskId, { author }, changing))).toMatchObject({
      code: 'conflict',
      message: `task ${first.taskId} is open; only a failed or canceled task is retried`,
    })
    await cancelTask(first.taskId, { author }, changing)
    const again = await retryTask(first.taskId, { author: 'user_bea' }, changing)
    expect(again).toEqual({
      ...first,
      taskId: again.taskId,
      createdBy: 'user_bea',
      options: { repo: '/project', retryOf: first.taskId },
    })
    expect(again.taskId).not.toBe(first.taskId)
  })
})
