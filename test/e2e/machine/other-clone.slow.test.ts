import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openTaskWorld, type TaskWorld } from '../../support/tasks/task-world.ts'

const says = (text: string): FakeReply => ({ blocks: [{ type: 'text', text }] })
const calls = (name: string, args: Readonly<Record<string, string>>): FakeReply => ({
  blocks: [{ type: 'tool_call', id: 'call_1', name, arguments: args }],
})
const writes = calls('write', { path: 'b.txt', content: 'two\n' })

/** Makes a trusted clone of the repository on the same machine. */
async function cloneOf({ cwd, pipe }: TaskWorld): Promise<string> {
  const folder = join(dirname(await realpath(cwd)), 'other-clone')
  execFileSync('git', ['clone', '-q', cwd, folder])
  await pipe(['trust', 'add'], { cwd: folder })
  return folder
}

describe('the work of a task in another clone, where files hold the tasks', () => {
  it('is refused there by diff, apply and discard, which name the clone that holds it', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const other = await cloneOf(world)
    const id = await world.add('write b.txt')
    server.reply(writes, says('Wrote it.'))
    await pipe(['worker', '--once'], { cwd: other })
    const message = `the work of task ${id} is in another clone; name its folder with -C: ${other}`
    for (const action of ['diff', 'apply', 'discard'])
      expectRun(await pipe(['task', action, id]), { code: 42, stdout: '', stderr: complaint(message) })
    expectRun(await pipe(['-C', other, 'task', 'apply', id]), { stdout: 'applied: b.txt\n' })
    expectRun(await pipe(['task', 'discard', id], { cwd: other }), {
      stdout: `discarded: ${id}  write b.txt\n`,
    })
    expectRun(await pipe(['task', 'apply', id], { cwd: other }), {
      code: 42,
      stdout: '',
      stderr: complaint(`the work of task ${id} is no longer kept: it was discarded`),
    })
  })

  it('is found in every worktree of the clone, and after the clone has moved', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd, git } = world
    const id = await world.add('write b.txt')
    server.reply(writes, says('Wrote it.'))
    await pipe(['worker', '--once'])
    const tree = join(dirname(cwd), 'tree')
    git('worktree', 'add', '-q', tree)
    expectRun(await pipe(['task', 'diff', id, '--stat'], { cwd: tree }), { stdout: 'b.txt  +1 -0\n' })
    const moved = join(dirname(cwd), 'moved')
    await rename(cwd, moved)
    expectRun(await pipe(['task', 'diff', id, '--stat'], { cwd: moved }), { stdout: 'b.txt  +1 -0\n' })
  })

  it('is gone with its clone, and said to be', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const other = await cloneOf(world)
    const id = await world.add('write b.txt')
    server.reply(writes, says('Wrote it.'))
    await pipe(['worker', '--once'], { cwd: other })
    await rm(other, { recursive: true })
    const { code, stderr } = await pipe(['task', 'apply', id])
    expect([code, stderr]).toEqual([
      42,
      expect.stringContaining(`was in ${other}, which is no longer here (process `),
    ])
  })

  it('is left to the workers there', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const other = await cloneOf(world)
    const id = await world.add('write b.txt and look')
    server.reply(writes, calls('bash', { command: 'touch c.txt; cat b.txt' }))
    await pipe(['worker', '--once'], { cwd: other })
    await pipe(['task', 'answer', id, 'allow'])
    expectRun(await pipe(['worker', '--once']), {
      stdout: '',
      stderr: expect.stringContaining(`name its folder with -C: ${other}`),
    })
    server.reply(says('Done.'))
    await pipe(['worker', '--once'], { cwd: other })
    expectRun(await pipe(['task', 'wait', id]), { stdout: 'Done.\n' })
    expectRun(await pipe(['task', 'diff', id, '--stat'], { cwd: other }), {
      stdout: 'b.txt  +1 -0\nc.txt  +0 -0\n',
    })
  })
})

describeWithDatabase('the work of a task in another clone, where a database holds the tasks', ({ url }) => {
  const env = { PIPE_DATABASE_URL: url }

  it('is fetched by diff and apply, on the same machine too', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd } = world
    const other = await cloneOf(world)
    // The task begins with files that are not committed, which this clone keeps under the task's ref.
    await writeFile(join(cwd, 'draft.txt'), 'my draft\n')
    const id = (await pipe(['task', 'add', 'write b.txt'], { env })).stdout.trimEnd()
    server.reply(writes, says('Wrote it.'))
    await pipe(['worker', '--once'], { cwd: other, env })
    expectRun(await pipe(['task', 'diff', id, '--stat'], { env }), { stdout: 'b.txt  +1 -0\n' })
    expectRun(await pipe(['task', 'apply', id], { env }), { stdout: 'applied: b.txt\n' })
    expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('two\n')
    expect((await pipe(['task', 'apply', id], { env })).code).toBe(0)
  })

  it('goes on here with the files of the attempt there', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd } = world
    const other = await cloneOf(world)
    await writeFile(join(cwd, 'draft.txt'), 'my draft\n')
    const id = (await pipe(['task', 'add', 'write b.txt and look'], { env })).stdout.trimEnd()
    server.reply(writes, calls('bash', { command: 'cp b.txt c.txt' }))
    await pipe(['worker', '--once'], { cwd: other, env })
    await pipe(['task', 'answer', id, 'allow'], { env })
    server.reply(says('Done.'))
    await pipe(['worker', '--once'], { env })
    expectRun(await pipe(['task', 'wait', id], { env }), { stdout: 'Done.\n' })
    for (const there of [cwd, other])
      expectRun(await pipe(['task', 'diff', id, '--stat'], { cwd: there, env }), {
        stdout: 'b.txt  +1 -0\nc.txt  +1 -0\n',
      })
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
  })
})
