import { describe, expect, it } from 'vitest'
import type { TaskStatus, TaskView } from '../../src/task.ts'
import { defaultSchedulerPolicy, isBlocked, readyTasks } from '../../src/tasks/scheduler-policy.ts'
import { timestamp } from '../support/messages/messages.ts'
import { taskId } from '../support/tasks/task-events.ts'

const view = (title: string, rest: Partial<TaskView>): TaskView => ({
  taskId: taskId(1),
  intent: '',
  createdBy: 'user_local',
  agentId: 'agent_pipe',
  title,
  priority: 'normal',
  status: 'open',
  seq: 1,
  createdAt: timestamp,
  updatedAt: timestamp,
  ...rest,
})

it('the default policy takes open and running tasks by priority, then the oldest', () => {
  const older = { createdAt: '2026-02-18T13:00:00.000+02:00' }
  const tasks = [
    view('background', { priority: 'background', ...older }),
    view('normal', {}),
    view('older', older),
    view('running', { status: 'in_progress', priority: 'foreground' }),
    ...(['awaiting_user', 'done', 'failed', 'canceled'] as const).map((status) => view(status, { status })),
  ]
  expect(defaultSchedulerPolicy(tasks).map(({ title }) => title)).toEqual([
    'running',
    'older',
    'normal',
    'background',
  ])
  expect(tasks).toHaveLength(8)
})

/** Tasks of which each follows the one before; the first has this status. */
function chain(first: TaskStatus, ...others: readonly TaskStatus[]): readonly TaskView[] {
  return [first, ...others].map((status, i) =>
    view(String(i), { taskId: taskId(i), status, ...(i > 0 ? { options: { after: taskId(i - 1) } } : {}) }),
  )
}

const finderOf = (tasks: readonly TaskView[]) => (id: TaskView['taskId']) =>
  tasks.find((task) => task.taskId === id)

describe('a task that follows another', () => {
  it.each<[TaskStatus, readonly string[], readonly string[]]>([
    ['open', ['0'], []],
    ['in_progress', ['0'], []],
    ['awaiting_user', [], []],
    ['done', ['1'], []],
    ['failed', [], ['1', '2']],
    ['canceled', [], ['1', '2']],
  ])('is ready or blocked by whether that one is %s', (status, ready, blocked) => {
    const tasks = chain(status, 'open', 'open')
    expect(readyTasks(tasks).map(({ title }) => title)).toEqual(ready)
    const found = tasks.filter((task) => isBlocked(task, finderOf(tasks)))
    expect(found.map(({ title }) => title)).toEqual(blocked)
  })

  it('is taken over once it was started', () => {
    const tasks = chain('failed', 'in_progress')
    expect(readyTasks(tasks).map(({ title }) => title)).toEqual(['1'])
    expect(tasks.filter((task) => isBlocked(task, finderOf(tasks)))).toEqual([])
  })

  it('is blocked if that one does not exist, or if they follow each other', () => {
    const [, lonely] = chain('open', 'open')
    const circle = [1, 2].map((number) =>
      view('', { taskId: taskId(number), options: { after: taskId(3 - number) } }),
    )
    for (const task of [lonely, ...circle].flatMap((one) => one ?? [])) {
      expect(isBlocked(task, finderOf(circle))).toBe(true)
      expect(readyTasks([task])).toEqual([])
    }
    expect(readyTasks(circle)).toEqual([])
  })
})
