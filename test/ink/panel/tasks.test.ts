import { expect, it } from 'vitest'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { drawStatus } from '../../../src/ink/status.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { createTaskActions } from '../../support/tasks/task-actions.ts'
import { questionId, taskId } from '../../support/tasks/task-events.ts'
import {
  answered,
  asking,
  canceled,
  completed,
  created,
  editQuestion,
  failed,
  started,
} from '../../support/tasks/task-list.ts'
import { plain } from '../screen-text.ts'
import { openConversation } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

const events: readonly TaskEvent[] = [
  created(1, 'Update the lock file', { priority: 'background' }),
  created(2, 'Explain the nightly job'),
  created(3, 'Rename the flag', { intent: 'Rename --retries to --tries', agentId: 'agent_tester' }),
  created(4, 'Remove dead code', { priority: 'foreground' }),
  created(5, 'Bump the version'),
  created(6, 'Try the new bundler'),
  created(7, 'Fix the parser', { priority: 'foreground' }),
  started(2),
  asking(2),
  started(3, 'agent_tester'),
  started(4),
  completed(4, 'Removed 3 functions.'),
  started(5),
  failed(5, 'the budget is spent'),
  canceled(6),
]

type TaskActionsOptions = Parameters<typeof createTaskActions>[0]

/** Opens the board on a screen of 60 by 20. */
async function openBoard(options: TaskActionsOptions = {}) {
  const questions = new Map([[taskId(2), editQuestion(2)]])
  const actions = createTaskActions({ events, questions, ...options })
  const opened = openConversation({ api: { tasks: actions } })
  const { controller, store, clock } = opened
  const live = () => {
    store.show()
    return plain(drawLive(store.screen))
  }
  const until = (row: RegExp) => expect.poll(() => live().join('\n')).toMatch(row)
  const keys = (...names: readonly string[]) => {
    for (const name of names) controller.key(name.length === 1 ? { type: 'text', text: name } : press(name))
  }
  /** Waits until keys answer the shown question. */
  const arm = () => clock.advance(2_000)
  opened.type('/tasks')
  await until(/Tasks(?! {2}reading)/)
  return { ...opened, actions, live, until, keys, arm }
}

it('the board lists what asks first, then what runs, open tasks by priority, and what is over', async () => {
  const { live } = await openBoard()
  expect(live()).toEqual([
    '',
    'Tasks  1 asking · 1 running · 2 open · 1 done · 1 failed · …',
    '❯ ? AAAAAA Explain the nightly job     pipe              now',
    '  ◐ AAAAAA Rename the flag             tester            0 s',
    '  ○ AAAAAA Fix the parser              pipe              now',
    '  ○ AAAAAA Update the lock file        pipe              now',
    '  ✓ AAAAAA Remove dead code            pipe              now',
    '  ✗ AAAAAA Bump the version            pipe              now',
    '  – AAAAAA Try the new bundler         pipe              now',
    '',
    '',
    '↑ ↓ PgUp PgDn move · Enter answers · c cancels · Esc closes',
  ])
})

it('an empty board says how to fill it', async () => {
  const { live } = await openBoard({ events: [] })
  expect(live()).toEqual([
    '',
    'Tasks',
    '  no tasks yet: /task TEXT puts one on the board',
    '↑ ↓ PgUp PgDn move · Esc closes',
  ])
})

it('a row shows its result below the list, and Enter opens its page', async () => {
  const { keys, live, until } = await openBoard()
  keys('end', 'up')
  expect(live().slice(-3)).toEqual([
    '  the budget is spent',
    '',
    '↑ ↓ PgUp PgDn move · Enter shows it · Esc closes',
  ])
  keys('home', 'down', 'enter')
  await until(/priority/)
  expect(live()).toEqual([
    '',
    '  ◐ AAAAAA Rename the flag             tester            0 s',
    '',
    '  Rename --retries to --tries',
    '',
    `  id        ${taskId(3)}`,
    '  priority  normal',
    '',
    '  added  by user_local',
    '↑ ↓ PgUp PgDn scroll · c cancels · Esc goes back',
  ])
  keys('esc')
  expect(live()[1]).toMatch(/^Tasks/)
})

it('a task that asks is answered there, with its diff in view', async () => {
  const { keys, live, until, arm, actions } = await openBoard()
  keys('enter')
  await until(/Allow edit\?/)
  expect(live()).toEqual([
    '',
    '━━ Explain the nightly job: Allow edit? ━━━━━━━━━━━━━━━━━━━━',
    '  a.ts',
    '  1   const a = 1',
    '  2 - const retries = 3',
    '  2 + const tries = 3',
    '',
    '   y  yes, once',
    '   n  no',
    '   w  no, and say why',
    '━━ answer in a moment, or press Tab first ━━━━━━━━━━━━━━━━━━',
    '1 question · ask · small                               $0.50',
  ])
  arm()
  keys('y')
  await until(/priority/)
  const response = { interactionId: questionId(2), answeredBy: 'user_local', selectedOptionId: 'allow' }
  await expect.poll(() => actions.acts).toEqual([['answer', taskId(2), response]])
})

it('a second Enter does not ask the question twice', async () => {
  const { keys, until, store } = await openBoard()
  keys('enter', 'enter')
  await until(/Allow edit\?/)
  await Promise.resolve()
  expect(store.screen.questions).toHaveLength(1)
})

it('Esc closes the question of a task, which stays open on the board', async () => {
  const { keys, until, live, arm, actions, store } = await openBoard()
  keys('enter')
  await until(/Allow edit\?/)
  arm()
  keys('esc')
  expect(store.screen.questions).toEqual([])
  keys('esc')
  expect(live()[2]).toMatch(/^❯ \? /)
  expect(actions.acts).toEqual([])
})

it('a question that somebody else answers goes away', async () => {
  const { keys, until, actions, store, notes } = await openBoard()
  keys('enter')
  await until(/Allow edit\?/)
  actions.append(answered(2, 'allow'))
  await until(/priority/)
  expect(store.screen.questions).toEqual([])
  expect(notes()).toContain('the question has been answered elsewhere')
})

it('a turn that ends leaves the question of a task open', async () => {
  const { keys, until, store } = await openBoard()
  keys('enter')
  await until(/Allow edit\?/)
  store.dispatch({ type: 'interrupted' })
  expect(store.screen.questions.map(({ asker }) => asker)).toEqual([{ type: 'task', id: taskId(2) }])
})

it('c cancels only after a confirmation', async () => {
  const { keys, live, actions } = await openBoard()
  keys('down', 'down', 'c')
  expect(live().at(-1)).toBe('cancel "Fix the parser"? y yes · any other key no')
  keys('n')
  expect(actions.acts).toEqual([])
  keys('c', 'y')
  await expect.poll(() => actions.acts).toEqual([['cancel', taskId(7)]])
})

it('d shows the diff of a finished task, and a applies it after a confirmation', async () => {
  const diff = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n'
  const { keys, live, until, actions, notes } = await openBoard({ diffs: new Map([[taskId(4), diff]]) })
  keys('down', 'down', 'down', 'down')
  expect(live().at(-1)).toBe('Enter shows it · d diff · a applies · Esc closes')
  keys('d')
  await until(/\+ two/)
  expect(live().slice(2)).toEqual([
    '',
    '  a.ts',
    '  1 - one',
    '  1 + two',
    '↑ ↓ PgUp PgDn scroll · a applies · Esc goes back',
  ])
  keys('a', 'y')
  await expect.poll(() => actions.acts).toEqual([['apply', taskId(4)]])
  await expect.poll(notes).toContain('applied: a.ts')
})

it('the board follows the tasks, and the focus stays on its task', async () => {
  const { keys, live, until, actions } = await openBoard()
  keys('end', 'up')
  actions.append(completed(3, 'Renamed.'), created(8, 'Write a haiku'))
  await until(/haiku/)
  expect(live().filter((row) => /^❯|haiku|Rename/.test(row))).toEqual([
    '  ○ AAAAAA Write a haiku               pipe              now',
    '  ✓ AAAAAA Rename the flag             tester            now',
    '❯ ✗ AAAAAA Bump the version            pipe              now',
  ])
})

it('Esc closes the board, and changes of tasks open it no more', async () => {
  const { keys, live, type, actions } = await openBoard()
  keys('esc')
  actions.append(created(8, 'Write a haiku'))
  type('/task write a poem')
  await expect.poll(() => actions.acts).toEqual([['add', 'write a poem']])
  expect(live()).toEqual([
    '',
    '─'.repeat(60),
    `› Ask anything · @ files · / commands${' '.repeat(17)}? keys`,
    '─'.repeat(60),
    `1 question · ask · small${' '.repeat(31)}$0.50`,
  ])
})

it('the status line counts the tasks that ask, as long as some do', async () => {
  const actions = createTaskActions({ events })
  const { controller, clock, store } = openConversation({ api: { tasks: actions } })
  const status = () => plain([drawStatus(store.screen)]).join('')
  controller.start()
  expect(status()).not.toContain('question')
  clock.advance(0)
  await expect.poll(status).toMatch(/^1 question · ask/)
  actions.append(started(1), asking(1))
  await expect.poll(status).toMatch(/^2 questions · ask/)
  actions.append(answered(1, 'deny'), canceled(2))
  await expect.poll(status).toMatch(/^ask/)
})

it('a key costs the same with ten thousand tasks as with ten', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => created(i % 200, `task ${i}`))
  const { keys, live, store } = await openBoard({ events: many(10) })
  expect(live().length).toBeGreaterThan(5)
  const { panel } = store.screen
  if (panel?.type !== 'tasks') throw new Error('the board is not open')
  const [task] = panel.tasks
  if (task === undefined) throw new Error('the board is empty')
  const read = { count: 0 }
  const tasks = new Proxy(
    Array.from({ length: 10_000 }, () => task),
    {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) read.count++
        return Reflect.get(target, name, receiver)
      },
    },
  )
  store.dispatch({ type: 'panel', panel: { ...panel, tasks } })
  read.count = 0
  keys('down', 'pagedown')
  live()
  expect(read.count).toBeLessThan(200)
})
