import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

const wholeId = /^[\da-f-]{36}\n$/

describe('pipe --bg', () => {
  it('hands a prompt over, and the list shows what became of it', async () => {
    const world = await openWorld()
    const { call } = await serveWorld(world)
    world.server.reply(say('All done.'))
    const first = await world.pipe(['--bg', 'be quick'])
    const id = first.stdout.trim()
    expectRun(first, {
      stdout: expect.stringMatching(wholeId),
      stderr: complaint(`it works in the background. Look in, and answer its questions: pipe attach ${id}`),
    })
    const row = async () => (await call('GET', `/v1/sessions/${id}`)).json
    await expect.poll(row).toMatchObject({ is_running: false, outcome: 'done', title: 'be quick' })
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Made.'))
    const mode = ['-m', 'fake/model-2', '--permission-mode', 'default']
    const second = await world.pipe(['--bg', '--json', ...mode, 'make it'])
    const { session_id: waiting } = JSON.parse(second.stdout)
    const waits = async () => (await call('GET', `/v1/sessions/${waiting}`)).json
    await expect.poll(waits).toMatchObject({ questions: 1, model: 'fake/model-2', mode: 'default' })
    const screen = openScreen(world, 'exec pipe attach', { columns: 90, rows: 24 })
    await screen.until(/make it +waits for you[^\n]*\n +be quick +done/)
    screen.type('\r')
    await screen.until(/❯ y/)
    screen.type('\u001b[B\u001b[A\r')
    await screen.until(/Made\./)
    await expect.poll(waits).toMatchObject({ questions: 0, is_running: false, outcome: 'done' })
  })

  it('the list still says what became of it after the server was killed and started again', async () => {
    const world = await openWorld()
    const { program, call } = await serveWorld(world)
    world.server.reply(say('All done.'))
    const good = (await world.pipe(['--bg', 'be quick'])).stdout.trim()
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${good}`)).json)
      .toMatchObject({ is_running: false, outcome: 'done' })
    world.server.reply({ status: 400, body: '{"error":{"message":"no such thing"}}' })
    const bad = (await world.pipe(['--bg', 'go wrong'])).stdout.trim()
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${bad}`)).json)
      .toMatchObject({ is_running: false, outcome: 'failed' })
    program.kill('SIGKILL')
    await program.ended
    const again = await serveWorld(world)
    const outcomes = async () => {
      const { sessions } = Object(await again.call('GET', '/v1/sessions').then(({ json }) => json))
      return sessions.map(({ id, outcome }: Record<string, unknown>) => [id, outcome])
    }
    expect(await outcomes()).toEqual([
      [bad, 'failed'],
      [good, 'done'],
    ])
    const screen = openScreen(world, 'exec pipe attach', { columns: 90, rows: 24 })
    await screen.until(/go wrong +failed[^\n]*\n +be quick +done/)
    // Opened again, it is as it was; a turn elsewhere leaves nothing to say of the one before.
    await again.call('POST', `/v1/sessions/${good}/commands`, { type: 'set_mode', mode: 'plan' })
    expect(await outcomes()).toContainEqual([good, 'done'])
    world.server.reply(say('Better.'))
    await world.pipe(['-r', bad, 'once more'])
    expect(await outcomes()).toContainEqual([bad, undefined])
  })

  it('works in a worktree of the folder, also after the server was started again', async () => {
    const world = await openWorld()
    await world.shell('git init -q && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one')
    const { program, call } = await serveWorld(world)
    world.server.reply(use(['write', { path: 'made.txt', content: 'one\n' }]), say('Made.'))
    const begun = await world.pipe(['--bg', '-w', 'side', '--permission-mode', 'accept-edits', 'make it'])
    const id = begun.stdout.trim()
    expect(begun.stderr).toContain('in .worktrees/side')
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${id}`)).json)
      .toMatchObject({
        outcome: 'done',
        cwd: join(world.cwd, '.worktrees/side'),
      })
    expect([
      existsSync(join(world.cwd, 'made.txt')),
      existsSync(join(world.cwd, '.worktrees/side/made.txt')),
    ]).toEqual([false, true])
    program.kill('SIGTERM')
    await program.ended
    const again = await serveWorld(world, ['--permission-mode', 'bypass'])
    world.server.reply(use(['bash', { command: 'pwd > ../../place.txt' }]), say('There.'))
    await again.call('POST', `/v1/sessions/${id}/messages`, { text: 'where are you?' })
    await expect.poll(() => existsSync(join(world.cwd, 'place.txt'))).toBe(true)
    expect((await world.shell('cat place.txt')).stdout).toBe(`${join(world.cwd, '.worktrees/side')}\n`)
    const refused = await again.call('POST', '/v1/sessions', { worktree: '../up' })
    expect([refused.status, refused.json]).toMatchObject([400, { details: { field: 'worktree' } }])
  })

  it('says what to do where no server works, and refuses what would not be handed over', async () => {
    const world = await openWorld()
    expectRun(await world.pipe(['--bg', 'go']), {
      code: 52,
      stdout: '',
      stderr: complaint(/no server of yours runs: start one for .*: pipe serve/),
    })
    await serveWorld(world)
    await mkdir(join(world.cwd, 'below'))
    const cases: readonly (readonly [args: readonly string[], code: number, told: RegExp])[] = [
      [['-C', 'below', 'go'], 52, /your servers work in other folders: start one for .*below/],
      [['--max-cost', '1', 'go'], 2, /--bg cannot be combined with --max-cost: pipe serve has its own/],
      [['-c', 'go'], 2, /--bg cannot be combined with --continue: pipe attach ID/],
      [['-o', 'stream-json', 'go'], 2, /--bg prints text or json/],
      [[], 2, /--bg needs a prompt/],
    ]
    for (const [args, code, told] of cases)
      expectRun(await world.pipe(['--bg', ...args]), { code, stdout: '', stderr: complaint(told) })
    expectRun(await world.shell('echo data | pipe --bg go'), {
      code: 2,
      stdout: '',
      stderr: complaint(/the prompt alone/),
    })
    expect(await world.sessions()).toEqual([])
  })
})
