import { execFileSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { deferred } from '../support/deferred.ts'
import type { FakeReply } from '../support/fake-server.ts'
import { describeWithDatabase } from '../support/postgres.ts'
import { expectRun } from '../support/program.ts'
import { openTaskWorld, type TaskWorld } from '../support/task-world.ts'

const says = (text: string): FakeReply => ({ blocks: [{ type: 'text', text }] })
const calls = (id: string, name: string, args: Readonly<Record<string, string>>): FakeReply => ({
  blocks: [{ type: 'tool_call', id, name, arguments: args }],
})

/** Makes another machine: a clone of the repository, with a home of its own that knows the same settings. */
async function openMachine({ cwd, home, pipe }: TaskWorld, name: string) {
  const folder = join(dirname(cwd), name)
  const env = { HOME: folder, PIPE_HOME: join(folder, 'home') }
  const clone = join(folder, 'clone')
  await mkdir(env.PIPE_HOME, { recursive: true })
  execFileSync('git', ['clone', '-q', cwd, clone])
  await cp(join(home, 'config.json'), join(env.PIPE_HOME, 'config.json'))
  await pipe(['trust', 'add'], { cwd: clone, env })
  return { cwd: clone, env }
}

describeWithDatabase('workers that share a database', ({ url, query }) => {
  const env = { PIPE_DATABASE_URL: url }

  it('carry on a task on another machine, at the call that asked, with the files so far', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const other = await openMachine(world, 'other')
    const there = { cwd: other.cwd, env: { ...other.env, ...env } }
    const id = (await pipe(['task', 'add', 'make it'], { env })).stdout.trimEnd()
    server.reply(calls('call_1', 'write', { path: 'b.txt', content: 'two\n' }))
    server.reply(calls('call_2', 'bash', { command: 'touch c.txt; cat b.txt' }))
    const { stderr } = await pipe(['worker', '--once'], { env })
    expect(stderr).toContain('asks ')
    expectRun(await pipe(['task', 'answer', id, 'allow'], there), { stdout: expect.stringContaining(id) })
    server.reply(says('Made.'))
    await pipe(['worker', '--once'], there)
    expect(server.requests).toHaveLength(3)
    const { stdout } = await pipe(['task', 'diff', id, '--stat'], there)
    expect(stdout).toContain('b.txt  +1 -0\n')
    const sessions = await query('select from pipe.sessions')
    expect(sessions).toHaveLength(1)
  })

  it('stop their turn when the connection is cut, and end each task once', async () => {
    const world = await openTaskWorld()
    const { pipe, server, start } = world
    const id = (await pipe(['task', 'add', 'look'], { env })).stdout.trimEnd()
    const asked = deferred<void>()
    const closed = deferred<boolean>()
    server.reply(async (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      asked.resolve()
      closed.resolve(await request.closed)
    }, says('Seen.'))
    const workers = [start(['worker'], { env }), start(['worker'], { env })]
    await asked.promise
    await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(await closed.promise).toBe(true)
    const { code, stdout } = await pipe(['task', 'wait', id], { env })
    expect([code, stdout]).toEqual([0, 'Seen.\n'])
    for (const worker of workers) worker.kill('SIGTERM')
    for (const worker of workers) expect((await worker.ended).code).toBe(143)
    const log = (await pipe(['task', 'log', id, '--json'], { env })).stdout.trimEnd().split('\n')
    expect(log.map((line) => JSON.parse(line).type)).toEqual([
      ...['task_created', 'task_started', 'task_started', 'task_completed'],
    ])
  })
})
