import { expect, it } from 'vitest'
import { byNeed, countTasks } from '../../src/frontend/task-order.ts'
import type { TaskPriority, TaskStatus, TaskView } from '../../src/task.ts'
import { taskId } from '../support/tasks/task-events.ts'

function task(
  title: string,
  status: TaskStatus,
  minute: number,
  priority: TaskPriority = 'normal',
): TaskView {
  const time = new Date(Date.UTC(2026, 1, 18, 12, minute)).toISOString()
  const about = {
    taskId: taskId(minute),
    intent: title,
    createdBy: 'user_local',
    agentId: 'agent_pipe',
    seq: 1,
  }
  return { ...about, title, status, priority, createdAt: time, updatedAt: time }
}

const tasks = [
  task('done early', 'done', 1),
  task('open at leisure', 'open', 2, 'background'),
  task('open', 'open', 3),
  task('open later', 'open', 4),
  task('open in haste', 'open', 5, 'foreground'),
  task('running at leisure', 'in_progress', 6, 'background'),
  task('asking', 'awaiting_user', 7),
  task('asking later', 'awaiting_user', 8),
  task('running in haste', 'in_progress', 9, 'foreground'),
  task('failed late', 'failed', 10),
]

it('tasks are listed by what they need, whatever their order was', () => {
  const titles = [
    ...['asking', 'asking later', 'running at leisure', 'running in haste', 'open in haste', 'open'],
    ...['open later', 'open at leisure', 'failed late', 'done early'],
  ]
  expect(byNeed(tasks).map(({ title }) => title)).toEqual(titles)
  expect(byNeed(tasks.toReversed()).map(({ title }) => title)).toEqual(titles)
})

it('tasks are counted by status in the same order', () => {
  expect(countTasks(tasks)).toBe('2 asking · 2 running · 4 open · 1 done · 1 failed')
})
