import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { hasPgBouncer, startPgBouncer } from '../../support/databases/pgbouncer.ts'
import { describeWithDatabase, makeReadOnly, makeWritable } from '../../support/databases/postgres.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { lastText } from '../../support/models/replies.ts'
import { complaint, expectRun, type Running } from '../../support/programs/program.ts'
import { hanging, openTaskWorld, type TaskWorld } from '../../support/tasks/task-world.ts'

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

describeWithDatabase('workers that share a database', (database) => {
  const { url, query } = database
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

  it('begin on another machine with files that were not committed when the task was added', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd } = world
    const other = await openMachine(world, 'other')
    const there = { cwd: other.cwd, env: { ...other.env, ...env } }
    await writeFile(join(cwd, 'draft.txt'), 'my draft\n')
    const id = (await pipe(['task', 'add', 'read the draft'], { env })).stdout.trimEnd()
    server.reply(calls('call_1', 'read', { path: 'draft.txt' }), says('Read it.'))
    expectRun(await pipe(['worker', '--once'], there), {
      stdout: '',
      stderr: expect.stringContaining('Read it.'),
    })
    expect(server.requests.map(({ body }) => lastText(body))[1]).toContain('my draft')
    expectRun(await pipe(['task', 'wait', id], { env }), { stdout: 'Read it.\n' })
  })

  it('find again what a command has printed, too long for its result, where the file is missing', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const id = (await pipe(['task', 'add', 'count'], { env })).stdout.trimEnd()
    server.reply(calls('call_1', 'bash', { command: 'seq 100000' }))
    server.reply(calls('call_2', 'bash', { command: 'touch asked' }))
    await pipe(['worker', '--once', '--allowed-tools', 'Bash(seq:*)'], { env })
    const [, second] = server.requests
    const [file = ''] = /\/\S+\.log/.exec(second === undefined ? '' : lastText(second.body)) ?? []
    expect(await readFile(file, 'utf8')).toContain('\n77777\n')
    await rm(dirname(file), { recursive: true })
    await pipe(['task', 'answer', id, 'allow'], { env })
    server.reply(calls('call_3', 'grep', { path: file, pattern: '^77777$' }), says('Found.'))
    await pipe(['worker', '--once'], { env })
    expect(server.requests.map(({ body }) => lastText(body)).at(-1)).toContain('77777')
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('stop their turns when their connections are cut, and end each task once', async () => {
    const world = await openTaskWorld()
    const { pipe, server, start } = world
    const add = async (text: string) => (await pipe(['task', 'add', text], { env })).stdout.trimEnd()
    const replies = [hanging(), hanging()]
    server.reply(...replies.map(({ reply }) => reply), says('Seen.'), says('Seen.'))
    const ids: string[] = []
    const workers: Running[] = []
    for (const { asked } of replies) {
      ids.push(await add('look'))
      workers.push(start(['worker'], { env }))
      await asked
    }
    await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    for (const { closed } of replies) expect(await closed).toBe(true)
    for (const id of ids) {
      const { code, stdout } = await pipe(['task', 'wait', id], { env })
      expect([code, stdout]).toEqual([0, 'Seen.\n'])
      const log = (await pipe(['task', 'log', id, '--json'], { env })).stdout.trimEnd().split('\n')
      const types = log.map((line) => JSON.parse(line).type)
      expect(types).toEqual(['task_created', 'task_started', 'task_started', 'task_completed'])
    }
    for (const worker of workers) worker.kill('SIGTERM')
    for (const worker of workers) expect((await worker.ended).code).toBe(143)
  })

  it('outlive a fail-over, during which the server only reads', async () => {
    const world = await openTaskWorld()
    const { pipe, server, start } = world
    const id = (await pipe(['task', 'add', 'look'], { env })).stdout.trimEnd()
    const { reply, asked, closed } = hanging()
    server.reply(reply, says('Seen.'))
    const worker = start(['worker'], { env })
    await asked
    await makeReadOnly(database)
    expect(await closed).toBe(true)
    expectRun(await pipe(['task', 'add', 'more'], { env }), {
      code: 52,
      stdout: '',
      stderr: complaint(/this server is read-only: name the one that takes writes/),
    })
    expectRun(await pipe(['task'], { env }), { stdout: expect.stringContaining(`${id}  `) })
    await makeWritable(database)
    expectRun(await pipe(['task', 'wait', id], { env }), { stdout: 'Seen.\n' })
    worker.kill('SIGTERM')
    expect((await worker.ended).code).toBe(143)
  })

  it('are refused by a pooler by transaction, and take nothing', async (context) => {
    if (!hasPgBouncer) return context.skip()
    const { pipe } = await openTaskWorld()
    const id = (await pipe(['task', 'add', 'look'], { env })).stdout.trimEnd()
    const pooled = { PIPE_DATABASE_URL: await startPgBouncer(url, { mode: 'transaction' }) }
    expectRun(await pipe(['worker'], { env: pooled }), {
      code: 52,
      stdout: '',
      stderr: complaint(/is a transaction pooler/),
    })
    expectRun(await pipe(['task', 'show', id, '--json'], { env: pooled }), {
      stdout: expect.stringContaining('"status":"open"'),
    })
  })
})
