import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { hanging, openTaskWorld } from '../../support/tasks/task-world.ts'
import { asks, calls, created, says, started, view } from './worker-setup.ts'

describe('pipe worker', () => {
  it('begins with the files as they were when the task was added, uncommitted and untracked ones too', async () => {
    const world = await openTaskWorld()
    const { pipe, server, cwd, git } = world
    await writeFile(join(cwd, 'draft.txt'), 'my draft\n')
    const id = await world.add('read the draft')
    const { options } = await view(world, id)
    expect(git('rev-parse', `refs/pipe/tasks-base/${id}`)).toBe(options.base)
    await writeFile(join(cwd, 'draft.txt'), 'changed later\n')
    server.reply(calls('read', { path: 'draft.txt' }), says('Read it.'))
    await pipe(['worker', '--once'])
    expect(server.requests.map(({ body }) => lastText(body))[1]).toContain('my draft')
    expect((await pipe(['task', 'diff', id])).stdout).toBe('')
    expect(git('status', '--porcelain')).toBe('?? draft.txt')
  })

  it('goes on at the call of an elf that asked', async () => {
    const world = await openTaskWorld()
    const { pipe, server } = world
    const id = await world.add('make it')
    const elf = { action: 'run', agent: 'general', prompt: 'make it', isolation: 'none', background: true }
    server.reply({ blocks: [{ type: 'tool_call', id: 'call_0', name: 'elf', arguments: elf }] }, asks)
    await pipe(['worker', '--once'])
    expect(await view(world, id)).toMatchObject({ status: 'awaiting_user' })
    expect(server.requests).toHaveLength(2)
    await pipe(['task', 'answer', id, 'allow'])
    server.reply(says('It is made.'), says('Made.'))
    await pipe(['worker', '--once'])
    expect(await view(world, id)).toMatchObject({ status: 'done', summary: 'Made.', attempt: 2 })
    expect(server.requests).toHaveLength(4)
    expect(server.requests[2]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'made it' })
  })

  it('hands its task back when it is told to end, and another goes on', async () => {
    const world = await openTaskWorld()
    const { server } = world
    const id = await world.add('write b.txt')
    const late = deferred<void>()
    const begun = deferred<void>()
    server.reply(async (_, response) => {
      begun.resolve()
      await late.promise
      const { replyEvents } = await import('../../support/vendors/chat-sse.ts')
      const args = { path: 'b.txt', content: 'two\n' }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        replyEvents([{ type: 'tool_call', id: 'call_1', name: 'write', arguments: args }]).join(''),
      )
    })
    const worker = world.start(['worker'])
    await begun.promise
    worker.kill('SIGTERM')
    late.resolve()
    const { code, stderr } = await worker.ended
    expect([code, stderr]).toEqual([
      143,
      `taken   ${id.slice(0, 8)}  write b.txt\nleft    ${id.slice(0, 8)}  write b.txt\n`,
    ])
    server.reply(says('Done.'))
    await world.pipe(['worker', '--once'])
    expect(await view(world, id)).toMatchObject({ status: 'done', summary: 'Done.', attempt: 3 })
    const request = JSON.stringify(server.requests.at(-1)?.body.messages)
    expect(request).toContain('Go on with the task')
    expect((await world.pipe(['task', 'diff', id, '--stat'])).stdout).toBe('b.txt  +1 -0\n')
  })

  it('leaves a task that was killed under it to another, which interrupts the call that may have run', async () => {
    const world = await openTaskWorld()
    const { server } = world
    const id = await world.add('look')
    const first = hanging()
    server.reply(calls('read', { path: 'a.txt' }), first.reply)
    const worker = world.start(['worker'])
    await first.asked
    worker.kill('SIGKILL')
    await worker.ended
    server.reply(says('Seen.'))
    await world.pipe(['worker', '--once'])
    expect(await world.typesOf(id)).toEqual([created, started, started, 'task_completed'])
    const sessions = await world.sessions()
    expect(sessions).toHaveLength(1)
  })

  it('leaves no folder of a canceled task behind if it was killed, and the changes are kept', async () => {
    const world = await openTaskWorld()
    const { server, git, pipe } = world
    const folders = () => git('worktree', 'list').split('\n').length - 1
    const abandon = async () => {
      const id = await world.add('write b.txt')
      const second = hanging()
      server.reply(calls('write', { path: 'b.txt', content: 'b\n' }), second.reply)
      const worker = world.start(['worker', '--permission-mode', 'accept-edits'])
      await second.asked
      worker.kill('SIGKILL')
      await worker.ended
      return id
    }
    const first = await abandon()
    expect(folders()).toBe(1)
    await pipe(['task', 'cancel', first])
    expect(folders()).toBe(0)
    expect((await pipe(['task', 'diff', first, '--stat'])).stdout).toBe('b.txt  +1 -0\n')
    const other = await abandon()
    await pipe(['task', 'cancel', other], { env: { XDG_CACHE_HOME: world.temp } })
    expect(folders()).toBe(1)
    await pipe(['worker', '--once'])
    expect(folders()).toBe(0)
    expect((await pipe(['task', 'diff', other, '--stat'])).stdout).toBe('b.txt  +1 -0\n')
  })

  it('stops the work on a task that is canceled', async () => {
    const world = await openTaskWorld()
    const id = await world.add('never')
    const endless = hanging()
    world.server.reply(endless.reply)
    const worker = world.start(['worker', '--once'])
    await endless.asked
    await world.pipe(['task', 'cancel', id])
    expect(await endless.closed).toBe(true)
    expect((await worker.ended).code).toBe(0)
    expect(await world.typesOf(id)).toEqual([created, started, 'task_canceled'])
  })

  it('prepares folders by the command of the settings, and fails a task that it fails', async () => {
    const world = await openTaskWorld()
    const config = JSON.parse(await readFile(join(world.home, 'config.json'), 'utf8'))
    await world.configure({ ...config, worktree: { setup: 'ls; echo no room; exit 3' } })
    const id = await world.add('look')
    await world.pipe(['worker', '--once'])
    expect(await view(world, id)).toMatchObject({
      status: 'failed',
      code: 54,
      reason: 'worktree.setup, ls; echo no room; exit 3, ended with 3: a.txt\nno room',
    })
    await world.configure({ ...config, worktree: { setup: 'echo ready > ready.txt' } })
    const next = await world.add('look again')
    world.server.reply(says('ok'))
    await world.pipe(['worker', '--once'])
    expect((await world.pipe(['task', 'diff', next, '--stat'])).stdout).toBe('ready.txt  +1 -0\n')
  })

  it('takes no task of another repository, and none for an agent that is not here', async () => {
    const world = await openTaskWorld()
    const id = await world.add('unknown', '--agent', 'nobody')
    const other = await openTaskWorld()
    const env = { PIPE_HOME: world.home }
    const foreign = (await other.pipe(['task', 'add', 'foreign'], { env })).stdout.trimEnd()
    expectRun(await world.pipe(['worker', '--once']), { stdout: '' })
    for (const one of [id, foreign]) expect(await world.typesOf(one)).toEqual([created])
    const refused = await world.pipe(['task', 'diff', foreign])
    expect(refused.stderr).toEqual(
      complaint(`belongs to another repository; name its folder with -C: ${other.cwd}`),
    )
  })
})
