import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../src/interaction.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { askingTask, storeEvents } from '../../support/tasks/stored-task.ts'
import { bareEvents, questionId, taskId } from '../../support/tasks/task-events.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

const permission = {
  kind: 'select',
  purpose: 'confirm_risky_action',
  display: { title: 'Edit a.ts?', content: '--- a.ts\n+++ a.ts\n-old\n+new', contentKind: 'diff' },
  options: [
    { id: 'allow_once', label: 'Allow once', style: 'primary' },
    { id: 'deny', label: 'No', isDefault: true },
  ],
} as const

const choices = 'allow_once (Allow once), deny (No)'

describe('pipe task answer', () => {
  it.each([['allow_once'], ['1'], ['allow'], ['ALLOW ONCE']])('takes an option by %j', async (word) => {
    const { pipe, home } = await openWorld()
    const id = await askingTask(home, permission)
    expectRun(await pipe(['task', 'answer', id, word]), { stdout: `answered: ${id}  t\n` })
    const { stdout } = await pipe(['task', 'log', id, '--json'])
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'user_interaction_responded',
      payload: { author_actor_id: 'user_local', selected_option_id: 'allow_once' },
    })
  })

  it('prints the task as JSON, and refuses a second answer', async () => {
    const { pipe, home } = await openWorld()
    const id = await askingTask(home, permission)
    const { stdout } = await pipe(['task', 'answer', id, 'deny', '--comment', 'not here', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ task_id: id, status: 'in_progress', seq: 4 })
    expect((await pipe(['task', 'log', id])).stdout).toContain('deny: not here\n')
    expectRun(await pipe(['task', 'answer', id, 'deny']), {
      code: 42,
      stdout: '',
      stderr: complaint(`task ${id} is in_progress and has no open question`),
    })
  })

  it('names the choices where nobody can be asked, or the answer is none of them', async () => {
    const { pipe, home } = await openWorld()
    const id = await askingTask(home, permission)
    expectRun(await pipe(['task', 'answer', id]), {
      code: 2,
      stdout: '',
      stderr: complaint(
        `pipe task answer needs an answer if stdin is not a terminal: Edit a.ts? – ${choices} (see pipe task --help)`,
      ),
    })
    expectRun(await pipe(['task', 'answer', id, 'perhaps']), {
      code: 2,
      stdout: '',
      stderr: complaint(`"perhaps" is no option of the question; it takes ${choices} (see pipe task --help)`),
    })
  })

  it('takes one argument for each part of a question', async () => {
    const { pipe, home } = await openWorld()
    const part = (number: number, title: string): Interaction => ({
      id: questionId(number),
      kind: 'input',
      purpose: 'request_info',
      display: { title },
    })
    const id = await askingTask(home, {
      kind: 'composite',
      parts: [part(2, 'Name?'), part(3, 'Colour?')],
    })
    expectRun(await pipe(['task', 'answer', id, 'ada']), {
      code: 2,
      stdout: '',
      stderr: complaint(
        'the question has 2 parts and takes one argument for each: Name? – a text; Colour? – a text (see pipe task --help)',
      ),
    })
    expectRun(await pipe(['task', 'answer', id, 'ada', 'dark blue']), { stdout: `answered: ${id}  t\n` })
    expect((await pipe(['task', 'log', id, '--json'])).stdout).toContain('"input_value":"dark blue"')
  })

  it.runIf(hasTerminal)('shows the question with its diff on a terminal, and asks', async () => {
    const world = await openWorld()
    const id = await askingTask(world.home, permission)
    const terminal = await openTerminal(world, `pipe task answer ${id}`)
    await terminal.until(
      /Edit a\.ts\?\n +--- a\.ts\n +\+\+\+ a\.ts\n +-old\n +\+new[\s\S]*what to do instead\n>$/,
    )
    await terminal.line('1')
    await terminal.until(new RegExp(`answered: ${id}  t\nended 0$`))
  })
})

const about = { taskId: taskId(1), authorActorId: 'agent_pipe' }
const ends: Readonly<Record<string, TaskEvent>> = {
  done: { type: 'task_completed', payload: { ...about, summary: 'all done' } },
  failed: { type: 'task_failed', payload: { ...about, reason: 'no key', options: { code: 41 } } },
  canceled: { type: 'task_canceled', payload: about },
}

describe('pipe task wait', () => {
  it.each([
    ['done', 0, 'all done\n', ''],
    ['failed', 41, '', complaint(`task ${taskId(1)} failed: no key`)],
    ['canceled', 130, '', complaint(`task ${taskId(1)} canceled`)],
  ])('exits once the task is %s', async (status, code, stdout, stderr) => {
    const { home, start, pipe } = await openWorld()
    await storeEvents(home, bareEvents().slice(0, 2))
    const waiting = start(['task', 'wait', taskId(1)])
    await storeEvents(
      home,
      [ends[status]].flatMap((event) => event ?? []),
    )
    expectRun(await waiting.ended, { code, stdout, stderr })
    const { stdout: view } = await pipe(['task', 'wait', taskId(1), '--json'])
    expect(JSON.parse(view)).toMatchObject({ task_id: taskId(1), status })
  })

  it('says that a task asks, and ends with the others', async () => {
    const { home, start } = await openWorld()
    const asking = await askingTask(home)
    const [created] = bareEvents(taskId(2))
    await storeEvents(
      home,
      [created].flatMap((event) => event ?? []),
    )
    const waiting = start(['task', 'wait', taskId(2), asking])
    await waiting.untilError(/has a question/)
    await storeEvents(home, [
      { type: 'task_canceled', payload: { ...about, taskId: taskId(2) } },
      ...bareEvents().slice(3, 4),
      ...[ends['done']].flatMap((event) => event ?? []),
    ])
    expectRun(await waiting.ended, {
      code: 130,
      stdout: `${asking}  t\nall done\n`,
      stderr: [
        `pipe: t: the task has a question; answer it with pipe task answer ${asking}\n`,
        `pipe: task ${taskId(2)} canceled\n`,
      ].join(''),
    })
  })

  it('ends when interrupted', async () => {
    const { home, start } = await openWorld()
    const asking = await askingTask(home)
    const waiting = start(['task', 'wait', asking])
    await waiting.untilError(/has a question/)
    waiting.kill('SIGINT')
    expect((await waiting.ended).code).toBe(130)
  })
})
