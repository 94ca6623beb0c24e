import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineProvider } from '../../../../src/cli/library/define-provider.ts'
import { type WorkerOptions, workerRunner } from '../../../../src/cli/library/tasks/library-worker.ts'
import { openTaskStore, type TaskStoreOptions } from '../../../../src/cli/library/tasks/open-task-store.ts'
import { createProcessClaims } from '../../../../src/cli/library/tasks/process-claims.ts'
import { openBoard } from '../../../../src/cli/library/tasks/stored-board.ts'
import { eventStoreConformance } from '../../../../src/conformance/event-store.ts'
import { claimsConformance } from '../../../../src/conformance/task-claims.ts'
import type { JsonObject } from '../../../../src/json-value.ts'
import { textContent } from '../../../../src/message.ts'
import { conforms } from '../../../support/conforms.ts'
import { describeWithDatabase } from '../../../support/databases/postgres.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { createMemoryEventStore, MemoryEvents } from '../../../support/tasks/memory-event-store.ts'
import { thrown } from '../../../support/thrown.ts'

const run = workerRunner(process.cwd())

/** A model that makes one call for each task, and then says what came of it. */
function calling(name: string, args: (intent: string) => JsonObject) {
  const provider = defineProvider(
    'own',
    ({ messages }) =>
      async function* () {
        const last = messages.at(-1)
        const intent = messages.map(textContent).join(' ')
        if (last?.type === 'tool_result') {
          yield { type: 'text_delta', id: 't', delta: `Result: ${textContent(last)}` }
          return { stopReason: 'end_turn' }
        }
        yield { type: 'tool_call_begin', id: 'c1', name }
        yield { type: 'tool_call_delta', id: 'c1', delta: JSON.stringify(args(intent)) }
        return { stopReason: 'tool_use' }
      },
  )
  return { provider, model: '' }
}

const writer = calling('write', (intent) => ({ path: 'note.txt', content: `${/note \w+/.exec(intent)}` }))

async function place() {
  const cwd = await folderWith()
  const home = await folderWith()
  return { cwd, env: { PATH: process.env['PATH'], PIPE_HOME: home } }
}

describe('the event store of a stranger', () => {
  conforms(
    'conforms',
    eventStoreConformance(async ({ now }) => {
      const events = new MemoryEvents()
      return { store: createMemoryEventStore(events, now), reopen: () => createMemoryEventStore(events, now) }
    }),
  )

  it('carries a real task', async () => {
    const events = createMemoryEventStore()
    const tasks = openBoard(events)
    const { cwd, env } = await place()
    await tasks.add('Write note one')
    const conversation = { model: writer, permissions: { mode: 'accept-edits' } } as const
    await run({ store: { events }, cwd, env, conversation, once: true })
    expect(await tasks.all()).toMatchObject([
      { status: 'done', summary: expect.stringContaining('Result: '), attempt: 1 },
    ])
    expect(await readFile(join(cwd, 'note.txt'), 'utf8')).toBe('note one')
  })
})

describe('claims of one process', () => {
  conforms(
    'conform',
    claimsConformance(async () => {
      const claims = createProcessClaims()
      return { claims, reopen: () => claims }
    }),
  )
})

/** Holds a worker to the same on each of the stores. */
function worksOn(options: () => Promise<TaskStoreOptions>) {
  const opened = async (env: WorkerOptions['env']) => {
    const store = await openTaskStore({ ...(await options()), ...(env === undefined ? {} : { env }) })
    onTestFinished(() => store.close())
    return store
  }

  it('asks what needs a person, and another worker goes on with the answer', async () => {
    const { cwd, env } = await place()
    const store = await opened(env)
    const { board: tasks } = store
    const { taskId } = await tasks.add({ intent: 'Write note two', title: 'A note', priority: 'foreground' })
    const working = { store, cwd, env, conversation: { model: writer }, once: true }
    await run(working)
    const { task, question } = await tasks.get(taskId.slice(0, 6))
    expect([task.title, task.status, question?.options?.map(({ id }) => id)]).toEqual([
      'A note',
      'awaiting_user',
      ['allow', 'deny'],
    ])
    await tasks.answer(taskId, { selectedOptionId: 'allow' })
    await run(working)
    expect((await tasks.get(taskId)).task).toMatchObject({ status: 'done', attempt: 2 })
    expect(await readFile(join(cwd, 'note.txt'), 'utf8')).toBe('note two')
    expect(await thrown(() => tasks.answer(taskId, { selectedOptionId: 'allow' }))).toMatchObject({
      code: 'conflict',
    })
  })

  it('follows its policy, and tells of each event', async () => {
    const { cwd, env } = await place()
    const store = await opened(env)
    for (const name of ['a', 'b', 'c'])
      await store.board.add({ intent: `Write note ${name}`, agentId: 'agent_pipe' })
    const [first] = await store.board.all()
    if (first !== undefined) await store.board.cancel(first.taskId, { reason: 'too late' })
    const seen: string[] = []
    await run({
      store,
      cwd,
      env,
      once: true,
      conversation: ({ intent }) => ({
        model: writer,
        permissions: { mode: 'accept-edits' },
        moreSystemPrompt: intent,
      }),
      policy: (tasks) => tasks.toReversed(),
      onEvent: ({ type }, { intent }) => seen.push(`${intent.at(-1)} ${type}`),
    })
    expect(seen).toEqual(['c task_started', 'c task_completed', 'b task_started', 'b task_completed'])
    expect((await store.board.all()).map(({ status }) => status)).toEqual(['canceled', 'done', 'done'])
  })
}

describe('a worker on files', () => worksOn(async () => ({ files: join(await folderWith(), 'tasks') })))

describeWithDatabase('a worker on a database', (database) =>
  worksOn(async () => {
    await database.clear()
    return { postgres: database.url }
  }),
)

it('carries out a task in a worktree of its own', async () => {
  const { cwd, env } = await place()
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], { cwd })
  git('init', '-q')
  await writeFile(join(cwd, 'a.txt'), 'one\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'one')
  const store = await openTaskStore({ env })
  onTestFinished(() => store.close())
  const { taskId } = await store.board.add('Write note three')
  await run({ store, cwd, env, conversation: { model: writer }, isolation: 'worktree', once: true })
  expect((await store.board.get(taskId)).task.status).toBe('done')
  expect(existsSync(join(cwd, 'note.txt'))).toBe(false)
  expect(String(git('show', `refs/pipe/tasks/${taskId}:note.txt`))).toBe('note three')
})

it('refuses options that do not fit', async () => {
  const { cwd, env } = await place()
  const wrong = [
    { files: 'tasks', env },
    { files: '/tmp/x', postgres: 'postgres://here', env },
  ]
  for (const options of wrong)
    expect(await thrown(() => openTaskStore(options))).toMatchObject({ code: 'usage' })
  const store = { events: createMemoryEventStore() }
  expect(await thrown(() => run({ store, cwd, env, slots: 0 }))).toMatchObject({ code: 'usage' })
  expect(await thrown(() => openBoard(store.events).add(' '))).toMatchObject({ code: 'input' })
})
