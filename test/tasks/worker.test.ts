import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { SessionId } from '../../src/id.ts'
import type { Message } from '../../src/message.ts'
import { createReplayProvider } from '../../src/replay/provider.ts'
import type { SchedulerPolicy, TaskView } from '../../src/task.ts'
import { defaultSchedulerPolicy, readyTasks } from '../../src/tasks/scheduler-policy.ts'
import { requireTask } from '../../src/tasks/stored-task.ts'
import { answerTask, cancelTask } from '../../src/tasks/task-change.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { type AgentSetup, calls, resultsOf, round, says } from '../support/conversations/agent.ts'
import { asks } from '../support/conversations/questions.ts'
import { gives, scriptedTools, waits } from '../support/conversations/scripted-tools.ts'
import { countingIds } from '../support/messages/ids.ts'
import { assistant, text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'
import { openWorkerWorld, type WorkerWorld } from './worker-world.ts'

const { signal } = new AbortController()

const answers = (words: string): AgentSetup => ({ rounds: [round(says(words))] })

/** Options as the guard offers them. */
const offered = [
  { id: 'allow', label: 'Once' },
  { id: 'allow_session', label: 'For this session' },
  { id: 'allow_always', label: 'Always' },
  { id: 'deny', label: 'No' },
]
const asking = (before: readonly string[] = []): AgentSetup => ({
  rounds: [
    round(...before.map((id) => calls(id, 'look')), calls('tc_1', 'ask'), calls('tc_2', 'write')),
    round(says('Done.')),
  ],
  executor: scriptedTools({
    ask: { ...asks('May I?', { kind: 'confirm', options: offered }), readOnly: true },
    look: gives('seen', { readOnly: true }),
    write: gives('written'),
  }),
})

async function answer({ store }: WorkerWorld, { taskId }: TaskView, selectedOptionId = 'allow') {
  const { question } = await requireTask(taskId, { store, signal })
  if (question === undefined) throw new Error('no question is open')
  const response = { interactionId: question.id, answeredBy: 'user_ann', selectedOptionId }
  await answerTask(taskId, response, { store, signal })
  return question
}

describe('a worker', () => {
  it('carries out tasks by priority and age, each in a folder of its own', async () => {
    const world = await openWorkerWorld((intent) => answers(`did ${intent}`))
    const later = await world.add('later', { priority: 'background' })
    const first = await world.add('first')
    const urgent = await world.add('urgent', { priority: 'foreground' })
    const events = await world.work()
    expect(events.map(({ streamId }) => streamId)).toEqual(
      [urgent, first, later].flatMap(({ taskId }) => [taskId, taskId]),
    )
    expect(await world.log(first.taskId)).toEqual(['created', 'started 1', 'completed: did first'])
    const { taskId } = first
    expect(world.folders.slice(3, 6)).toEqual([`open ${taskId}`, `save ${taskId}`, `remove ${taskId}`])
    const [started] = events
    expect(started).toMatchObject({
      payload: {
        authorActorId: 'agent_pipe',
        agentId: 'agent_pipe',
        options: { sessionId: world.opened[0]?.session, worker: 'process 7 on ada', attempt: 1 },
      },
    })
  })

  it.each<[string, SchedulerPolicy]>([
    ['leaves out tasks that follow others', readyTasks],
    ['chooses one task at a time', (tasks) => defaultSchedulerPolicy(tasks).slice(0, 1)],
  ])('carries out all tasks with a policy that %s', async (_, policy) => {
    const world = await openWorkerWorld(answers)
    const early = await world.add('early')
    await world.work({ policy })
    await world.add('late', { options: { after: early.taskId } })
    const first = await world.add('first')
    await world.add('second', { priority: 'foreground', options: { after: first.taskId } })
    const events = await world.work({ policy })
    expect(events.filter(({ type }) => type === 'task_completed')).toHaveLength(3)
  })

  it('removes a folder only once the end of its task is stored', async () => {
    const world = await openWorkerWorld(answers)
    const { taskId } = await world.add('look')
    const before: string[][] = []
    await world.work({ onAppend: () => before.push([...world.folders]) })
    expect(before).toEqual([[], [`open ${taskId}`, `save ${taskId}`]])
    expect(world.folders.at(-1)).toBe(`remove ${taskId}`)
  })

  it('passes on what a task asks for', async () => {
    const world = await openWorkerWorld(() => answers('ok'))
    const limits = { maxTokens: 100, maxTimeMs: 60_000 }
    const options = { model: 'acme/large', mode: 'plan', limits } as const
    const task = await world.add('look', {
      agentId: 'agent_review',
      options,
      artifactRefs: [{ kind: 'asset', assetId: 'logo' }],
    })
    await world.work()
    const { session: _, ...request } = world.opened[0] ?? {}
    expect(request).toEqual({
      agent: 'review',
      actor: 'agent_review',
      model: 'acme/large',
      mode: 'plan',
      cwd: task.taskId,
      taskId: task.taskId,
      limits,
      attempt: 1,
    })
    const [message] = world.agents[0]?.saved ?? []
    expect(message?.content).toEqual([{ type: 'text', text: 'look\n\nThis is about asset:logo.' }])
  })

  it('works on as many tasks at once as it has slots', async () => {
    const both = deferred<void>()
    let running = 0
    const run = gives('done')
    const look: typeof run = {
      run: async function* (args, context) {
        if (++running === 2) both.resolve()
        await both.promise
        return yield* run.run(args, context)
      },
    }
    const world = await openWorkerWorld(() => ({
      rounds: [round(calls('tc_1', 'look')), round(says('ok'))],
      executor: scriptedTools({ look }),
    }))
    for (const name of ['a', 'b', 'c']) await world.add(name)
    const events = await world.work({ slots: 2 })
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['task_started', 'task_started'])
    expect(events.filter(({ type }) => type === 'task_completed')).toHaveLength(3)
  })

  it('waits with a task until the one before it is done', async () => {
    const world = await openWorkerWorld((intent) => (intent === 'ask' ? asking() : answers(intent)))
    const before = await world.add('ask')
    const after = await world.add('after', { options: { after: before.taskId } })
    await world.work()
    expect(await world.log(after.taskId)).toEqual(['created'])
    await answer(world, before)
    await world.work()
    expect(await world.log(after.taskId)).toEqual(['created', 'started 1', 'completed: after'])
  })

  it('takes only tasks that it accepts', async () => {
    const world = await openWorkerWorld(answers)
    const mine = await world.add('mine')
    const other = await world.add('other', { agentId: 'agent_other' })
    await world.work({ accepts: ({ agentId }) => agentId === 'agent_pipe' })
    expect(await world.log(other.taskId)).toEqual(['created'])
    expect((await world.log(mine.taskId)).length).toBe(3)
  })

  it('fails a task whose turn fails, with the exit code of such a run', async () => {
    const world = await openWorkerWorld(() => ({ rounds: [] }))
    const task = await world.add('impossible')
    await world.work()
    expect(await world.log(task.taskId)).toEqual([
      'created',
      'started 1',
      expect.stringMatching(/^failed \d+: /),
    ])
  })

  it('waits for new tasks until it is to end', async () => {
    const world = await openWorkerWorld(answers)
    const drain = new AbortController()
    const seen = deferred<void>()
    const working = world.work(
      { once: false, onAppend: ({ type }) => type === 'task_completed' && seen.resolve() },
      drain.signal,
    )
    const task = await world.add('late')
    await seen.promise
    drain.abort()
    await working
    expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'completed: late'])
  })
})

describe('a question of a task', () => {
  it('frees the slot, and any worker goes on at the call that asked, without the model', async () => {
    const world = await openWorkerWorld((intent) => (intent === 'ask' ? asking(['tc_0']) : answers(intent)))
    const task = await world.add('ask')
    const next = await world.add('next')
    await world.work()
    expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'interaction_requested'].map(plain))
    expect(await world.log(next.taskId)).toHaveLength(3)
    const question = await answer(world, task)
    expect(question.options?.map(({ id }) => id)).toEqual(['allow', 'deny'])
    const requests = world.agents.length
    await world.work({ pid: 8 })
    expect(await world.log(task.taskId)).toEqual([
      ...['created', 'started 1', 'requested', 'responded', 'started 2', 'completed: Done.'],
    ])
    const agent = world.agents[requests]
    expect(agent?.requests).toHaveLength(1)
    const { messages = [] } = world.sessions.get(world.opened[0]?.session ?? '') ?? {}
    expect(resultsOf(messages)).toEqual(['tc_0: seen', 'tc_1: allow', 'tc_2: written'])
    expect(world.opened.at(-1)?.session).toBe(world.opened[0]?.session)
    expect(world.folders.filter((line) => line === `remove ${task.taskId}`)).toHaveLength(1)
  })
})

describe('a task that was left', () => {
  it('goes on from its last message when its worker has died', async () => {
    const world = await openWorkerWorld(() => ({
      rounds: [round(calls('tc_1', 'look')), round(says('Done.'))],
      executor: scriptedTools({ look: gives('seen') }),
    }))
    const task = await world.add('look')
    await die(world, task)
    await world.work()
    expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'started 2', 'completed: Done.'])
  })

  it('is completed without the model if its last reply was its end', async () => {
    const world = await openWorkerWorld(answers)
    const task = await world.add('said')
    await die(world, task, sessionId)
    const reply: Message = { ...assistant(text('All of it.')), stopReason: 'end_turn' }
    world.sessions.set(sessionId, { messages: [user(text('said')), reply], pending: [] })
    await world.work()
    expect(await world.log(task.taskId)).toEqual([
      'created',
      'started 1',
      'started 2',
      'completed: All of it.',
    ])
    expect(world.agents.map(({ requests }) => requests)).toEqual([[]])
  })

  it('fails after three deaths in a row', async () => {
    const world = await openWorkerWorld(answers)
    const task = await world.add('deadly')
    for (let i = 0; i < 3; i++) await die(world, task)
    await world.work()
    expect(await world.log(task.taskId)).toEqual([
      ...['created', 'started 1', 'started 2', 'started 3'],
      'failed 1: 3 workers died while they worked on it',
    ])
    expect(world.opened).toEqual([])
  })

  it('is handed back by a worker that is to end, which counts as no death', async () => {
    const begun = deferred<void>()
    const look = waits(new Promise(() => undefined), { before: 'looking', text: 'seen' })
    const world = await openWorkerWorld(() => ({
      rounds: [round(calls('tc_1', 'look')), round(says('Done.'))],
      executor: scriptedTools({
        look: {
          run: (args, context) => {
            begun.resolve()
            return look.run(args, context)
          },
        },
      }),
    }))
    const task = await world.add('slow')
    const impatient: Clock = {
      ...systemClock,
      after: (ms, action) => systemClock.after(ms === 10_000 ? 0 : ms, action),
    }
    for (let i = 0; i < 2; i++) await die(world, task)
    const drain = new AbortController()
    const working = world.work({ clock: impatient }, drain.signal)
    await begun.promise
    drain.abort()
    await working
    await world.work()
    expect(await world.log(task.taskId)).toEqual([
      ...['created', 'started 1', 'started 2', 'started 3', 'started 4 handed back', 'started 5'],
      'completed: Done.',
    ])
    const [message] = world.agents.at(-1)?.saved ?? []
    expect(message?.content).toMatchObject([{ text: expect.stringContaining('Go on with the task') }])
  })

  it('gets no more events once it is canceled, and its call is interrupted', async () => {
    const begun = deferred<void>()
    const ended = deferred<boolean>()
    const world = await openWorkerWorld(() => ({
      rounds: [round(calls('tc_1', 'look'))],
      executor: scriptedTools({
        look: {
          run: async function* (_, { signal: stop }) {
            begun.resolve()
            await new Promise((resolve) => stop.addEventListener('abort', resolve))
            ended.resolve(true)
            return { content: [], isError: true }
          },
        },
      }),
    }))
    const task = await world.add('slow')
    const working = world.work()
    await begun.promise
    await cancelTask(task.taskId, { author: 'user_ann' }, { store: world.store, signal })
    await working
    expect(await ended.promise).toBe(true)
    expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'canceled'])
  })

  it('is left alone while another worker holds its claim', async () => {
    const world = await openWorkerWorld(answers)
    const task = await world.add('held')
    const claim = await world.claims.claim(task.taskId, { signal })
    expect(await world.work()).toEqual([])
    await claim?.release()
    expect(await world.work()).toHaveLength(2)
  })
})

describe('limits', () => {
  it('count what all attempts have spent', async () => {
    const world = await openWorkerWorld(() => asking())
    const task = await world.add('ask', { options: { limits: { maxRounds: 1 } } })
    await world.work()
    await answer(world, task)
    await world.work()
    expect((await world.log(task.taskId)).at(-1)).toMatch(/^failed 53: stopped after 1 rounds/)
  })

  it('of a worker end it, and hand its task back', async () => {
    const script = {
      rounds: [{ ...round(calls('tc_1', 'look')), usage: { inputTokens: 1, outputTokens: 1 } }],
    }
    const provider = createReplayProvider({ script, newId: countingIds(), clock: stillClock() })
    const info = { provider: 'replay', id: 'script', price: { input: 1_000_000, output: 1_000_000 } }
    const world = await openWorkerWorld(() => ({
      model: { provider, model: 'script', info },
      executor: scriptedTools({ look: gives('seen') }),
    }))
    const task = await world.add('dear')
    const other = await world.add('other')
    expect(await thrown(() => world.work({ maxCostUsd: 1.5 }))).toMatchObject({ code: 'budget' })
    expect(await world.log(task.taskId)).toEqual(['created', 'started 1', 'started 2 handed back'])
    expect(await world.log(other.taskId)).toEqual(['created'])
    expect(world.opened[0]?.limits).toEqual({ maxCostUsd: 1.5 })
  })

  it('tries the claims of others ten times a second, one after the other, however many they are', async () => {
    const world = await openWorkerWorld(answers)
    for (let i = 0; i < 40; i++) await world.add(`task ${i}`)
    let now = 0
    let look = () => {}
    const clock: Clock = {
      ...systemClock,
      monotonic: () => now,
      every: (_ms, action) => {
        look = action
        return () => undefined
      },
    }
    const tried: string[] = []
    const claim = async (id: string) => {
      tried.push(id)
      return undefined
    }
    const end = new AbortController()
    const working = world.work({ clock, claims: { ...world.claims, claim }, once: false }, end.signal)
    await expect.poll(() => tried.length).toBe(40)
    for (let i = 0; i < 100; i++) {
      now += 100
      look()
      await new Promise((resolve) => setImmediate(resolve))
    }
    end.abort()
    await working
    expect(tried.length).toBeLessThanOrEqual(40 + 100 + 4)
    expect(new Set(tried.slice(40)).size).toBe(40)
  })
})

const plain = (line: string) => line.replace('interaction_', '')
const sessionId = countingIds().session()

/** Leaves a task as a worker does that dies right after it has begun. */
async function die({ store }: WorkerWorld, { taskId }: TaskView, session?: SessionId): Promise<void> {
  const { task } = await requireTask(taskId, { store, signal })
  const options = {
    attempt: (task.attempt ?? 0) + 1,
    ...(session === undefined ? {} : { sessionId: session }),
  }
  const payload = { taskId, authorActorId: 'agent_pipe', agentId: 'agent_pipe', options }
  await store.append(taskId, [{ type: 'task_started', payload }], { expectedSeq: task.seq, signal })
}
