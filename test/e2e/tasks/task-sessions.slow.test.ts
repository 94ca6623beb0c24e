import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import { lastText, say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openTaskWorld } from '../../support/tasks/task-world.ts'

describeWithDatabase('the conversation of a task in a database', ({ url }) => {
  const env = { PIPE_DATABASE_URL: url }

  /** A task that a worker has done, and the id of its session. */
  async function openDone() {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const id = (await pipe(['task', 'add', 'say hello'], { env })).stdout.trimEnd()
    server.reply(say('Hello from the task.'))
    await pipe(['worker', '--once'], { env })
    const { session_id: session }: { readonly session_id: string } = JSON.parse(
      (await pipe(['task', 'show', id, '--json'], { env })).stdout,
    )
    return { ...world, session }
  }

  it('is listed, shown and exported like those on disk', async () => {
    const { pipe, server, cwd, home, session } = await openDone()
    server.reply(say('Hi.'))
    await pipe(['hi'], { env })
    const { sessions } = JSON.parse((await pipe(['sessions', '--json'], { env })).stdout)
    expect(sessions).toMatchObject([
      { opening: 'hi', size: expect.any(Number) },
      { id: session, cwd },
    ])
    const { stdout } = await pipe(['sessions', 'show', session.slice(0, 12)], { env })
    expect(stdout).toMatch(/say hello[\s\S]*Hello from the task\./)
    expect((await pipe(['sessions', 'export', session, '-', '-o', 'md'], { env })).stdout).toContain(
      'Hello from the task.',
    )
    expect(existsSync(join(home, 'sessions', `${session}.json`))).toBe(false)
    expectRun(await pipe(['sessions', 'show', '00000000'], { env }), {
      code: 42,
      stdout: '',
      stderr: 'pipe: no session 00000000; pipe sessions lists those of this folder\n',
    })
  })

  it('is continued by -r where it is, with its audit log, and copied by --fork', async () => {
    const { pipe, server, home, session } = await openDone()
    server.reply(say('Still here.'))
    expectRun(await pipe(['-r', session, 'and now?'], { env }), { stdout: 'Still here.\n' })
    const sent = server.requests.at(-1)
    expect(JSON.stringify(sent?.body)).toContain('Hello from the task.')
    expect(sent && lastText(sent.body)).toContain('and now?')
    expect((await pipe(['sessions', 'show', session], { env })).stdout).toContain('Still here.')
    expect((await pipe(['audit', 'verify', session], { env })).code).toBe(0)
    expect((await pipe(['audit', 'show', session], { env })).stdout).toContain('and now?')
    expect(existsSync(join(home, 'sessions')) ? await readdir(join(home, 'sessions')) : []).toEqual([])
    server.reply(say('Copied.'))
    expectRun(await pipe(['--fork', session, 'and then?'], { env }), {
      stdout: 'Copied.\n',
      stderr: expect.anything(),
    })
    expect((await pipe(['sessions', 'show', session], { env })).stdout).not.toContain('Copied.')
    expect((await readdir(join(home, 'sessions'))).filter((name) => name.endsWith('.json'))).toHaveLength(1)
  })

  it('does not hide those on disk while the database is away', async () => {
    const { pipe, server } = await openTaskWorld()
    server.reply(say('Hi.'))
    await pipe(['hi'])
    const away = { PIPE_DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const run = await pipe(['sessions', '--json'], { env: away })
    expect(JSON.parse(run.stdout).sessions).toMatchObject([{ opening: 'hi' }])
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringMatching(/^pipe: the sessions of tasks are left out: .*\n$/),
    ])
    server.reply(say('Again.'))
    expectRun(await pipe(['-c', 'again'], { env: away }), { stdout: 'Again.\n' })
  })
})
