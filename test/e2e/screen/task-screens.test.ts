import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { isTaskId, type TaskId } from '../../../src/id.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { asking, canceled, completed, created, failed, started } from '../../support/tasks/task-list.ts'
import { expectScreen, goldenSizes } from '../../support/terminals/golden-screen.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const minutes = 60_000

/** Returns an id that is told apart on the screen. */
function idOf(event: TaskEvent): TaskId {
  const letter = event.payload.taskId.slice(-1)
  const id = `${letter}4f9aLockAndTestsXYZ0`
  if (!isTaskId(id)) throw new Error(`not an id: ${id}`)
  return id
}

const named = (event: TaskEvent): TaskEvent => {
  const payload = { ...event.payload, taskId: idOf(event) }
  return Object.assign({}, event, { payload })
}

/** Adds events to the log, as if they had happened so many minutes ago. */
async function happened({ home }: World, ago: number, ...events: readonly TaskEvent[]): Promise<void> {
  const clock = { ...systemClock, now: () => systemClock.now() - ago * minutes }
  const holder = { pid: process.pid, host: hostname(), clock }
  const warn = (line: string) => {
    throw new Error(line)
  }
  const store = createEventStore({ directory: join(home, 'tasks'), warn, ...holder })
  for (const event of events.map(named))
    await store.append(event.payload.taskId, [event], new AbortController())
  await store.close()
}

/** Fills the board with tasks of every status. */
async function fillBoard(world: World): Promise<void> {
  await happened(
    world,
    200,
    created(1, 'Update the lock file and say what changed', { priority: 'background' }),
    created(2, 'Rename --retries to --tries'),
    created(3, 'Write the missing tests of the parser', { agentId: 'agent_tester' }),
    created(4, 'Remove dead code'),
    created(5, 'Bump the version of everything'),
    created(6, 'Try the new bundler'),
    created(7, '日本語のコードを説明してください', { priority: 'foreground' }),
  )
  await happened(world, 150, started(2), started(4), completed(4, 'Removed 3 functions and their tests.'))
  await happened(world, 130, started(5), failed(5, 'the budget of $0.50 is spent'))
  await happened(world, 125, canceled(6))
  await happened(world, 90, started(3, 'agent_tester'), asking(2))
}

describe.each(goldenSizes)('the screen at $columns x $rows', (size) => {
  it('shows the board of tasks, and a question of one with its diff', async () => {
    const world = await openWorld()
    await fillBoard(world)
    const screen = await openPrompt(world, size)
    await screen.until(/1 question/)
    screen.type('/tasks\r')
    await screen.until(/Tasks {2}1 asking/)
    await expectScreen(size, 'board', screen)
    screen.type('\r')
    await screen.until(/Allow[\s━]+edit\?[\s\S]*❯ /)
    await expectScreen(size, 'board-question', screen)
    screen.type('y')
    await screen.until(/◐ C4f9aL/)
    screen.type('\u001b')
    await screen.until(/Tasks {2}2 running/)
    screen.type('\u001b')
    await screen.until(/› (?:Ask|Say) [^\n]*\n─*\n?ask/)
    expect(screen.text()).not.toContain('question')
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })
})

it('a task that is added on the screen is on the board, which follows other processes', async () => {
  const world = await openWorld()
  const screen = await openPrompt(world, { columns: 80, rows: 24 })
  screen.type('/tasks\r')
  await screen.until(/no tasks yet/)
  screen.type('\u001b')
  await screen.until(/› (?:Ask|Say) [^\n]*\n─*\n?ask/)
  screen.type('/task write a haiku\r')
  await screen.until(/task \S{21} is on the board: write a haiku/)
  screen.type('/tasks\r')
  await screen.until(/○ \S{6} write a haiku/)
  await world.pipe(['task', 'add', 'and a poem'])
  await screen.until(/○ \S{6} and a poem/)
  screen.type('c')
  await screen.until(/cancel "write a haiku"\?/)
  screen.type('y')
  await screen.until(/– \S{6} write a haiku/)
  expect((await world.pipe(['task'])).stdout).toMatch(/canceled +normal +write a haiku/)
  screen.type('q')
  await screen.until(/› (?:Ask|Say) [^\n]*\n─*\n?ask/)
  screen.type('\u0004')
  expect(await screen.ended).toBe(0)
})

it('a question is counted as soon as another process asks it', async () => {
  const world = await openWorld()
  await happened(world, 10, created(2, 'Rename it'), started(2))
  const screen = await openPrompt(world, { columns: 80, rows: 24 })
  await screen.until(/› (?:Ask|Say) [^\n]*\n─*\n?ask/)
  await happened(world, 0, asking(2))
  await screen.until(/1 question · ask/)
})
