import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openTaskWorld } from '../../support/tasks/task-world.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { asks, calls, created, says, started, view } from './worker-setup.ts'

const writes = calls('write', { path: 'b.txt', content: 'two\n' })

describe('pipe worker', () => {
  it('carries out tasks in folders of their own, whose changes a person sees and applies', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd, git } = world
    const id = await world.add('write b.txt')
    server.reply(writes, says('Wrote it.'))
    expectRun(await pipe(['worker', '--once']), {
      stdout: '',
      stderr: `taken   ${id.slice(0, 8)}  write b.txt\ndone    ${id.slice(0, 8)}  Wrote it.\n`,
    })
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
    expect(git('status', '--porcelain')).toBe('')
    const { stdout: diff } = await pipe(['task', 'diff', id])
    expect(diff).toContain('+++ b/b.txt\n@@ -0,0 +1 @@\n+two\n')
    expectRun(await pipe(['task', 'diff', id, '--stat']), { stdout: 'b.txt  +1 -0\n' })
    expect(JSON.parse((await pipe(['task', 'diff', id, '--json'])).stdout)).toEqual({
      task_id: id,
      diff,
      files: [{ path: 'b.txt', added: 1, removed: 0 }],
    })
    expectRun(await pipe(['task', 'apply', id]), { stdout: 'applied: b.txt\n' })
    expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('two\n')
    const again = await pipe(['task', 'apply', id, '--json'])
    expectRun(again, { stdout: `{"task_id":"${id}","applied":[],"conflicts":[]}\n` })
    expectRun(await pipe(['task', 'discard', id]), { stdout: `discarded: ${id}  write b.txt\n` })
    expect(git('for-each-ref', 'refs/pipe')).toBe('')
  })

  it('refuses a limit that only a task has', async () => {
    const { pipe } = await openTaskWorld()
    expectRun(await pipe(['worker', '--once', '--max-tokens', '10']), {
      code: 2,
      stdout: '',
      stderr: complaint(
        'pipe worker does not take --max-tokens: set it per task with pipe task add --max-tokens; --max-cost limits the whole worker',
      ),
    })
  })

  slowIt('prints its events as they are stored, a line each', async () => {
    const world = await openTaskWorld()
    const id = await world.add('say hello')
    world.server.reply(says('Hello.'))
    const { stdout, stderr } = await world.pipe(['worker', '--once', '--json'])
    const log = (await world.pipe(['task', 'log', id, '--json'])).stdout
    expect([stdout, stderr]).toEqual([log.slice(log.indexOf('\n') + 1), ''])
  })

  slowIt('goes on at the call that asked, without the model, whichever worker takes it', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const id = await world.add('make it')
    server.reply(asks)
    const { stderr } = await pipe(['worker', '--once'])
    expect(stderr).toContain(`asks    ${id.slice(0, 8)}  Run this command?\n`)
    expect(await view(world, id)).toMatchObject({ status: 'awaiting_user', attempt: 1 })
    expect(server.requests).toHaveLength(1)
    await pipe(['task', 'answer', id, 'allow'])
    expect(server.requests).toHaveLength(1)
    server.reply(says('Made.'))
    await pipe(['worker', '--once'])
    const [, second] = server.requests
    expect(second?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'made it' })
    expect(server.requests).toHaveLength(2)
    expect(await world.typesOf(id)).toEqual([
      ...[created, started, 'user_interaction_requested', 'user_interaction_responded', started],
      'task_completed',
    ])
    expect((await pipe(['task', 'diff', id, '--stat'])).stdout).toBe('made  +0 -0\n')
  })

  slowIt('fails a task with the exit code of such a run', async () => {
    const world = await openTaskWorld()
    const id = await world.add('look', '--max-turns', '1')
    world.server.reply(calls('read', { path: 'a.txt' }))
    await world.pipe(['worker', '--once'])
    expect(await view(world, id)).toMatchObject({ status: 'failed', code: 53 })
    expect((await world.pipe(['task', 'wait', id])).code).toBe(53)
  })

  it('takes nothing in a folder that is not trusted', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('.pipe/config.json', '{}')
    await pipe(['task', 'add', 'look'])
    expectRun(await pipe(['worker', '--once']), {
      code: 55,
      stdout: '',
      stderr: complaint(`pipe worker cannot take the tasks of ${cwd}, because you have not trusted it`),
    })
    expect(server.requests).toEqual([])
  })
})
