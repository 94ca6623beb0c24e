import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { outlineRequest } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { call, fixed, openRepository, refs, refused, script, text, three, write } from './race-setup.ts'

describe('pipe race', () => {
  it('prints the table on stderr and the smallest diff on stdout, which git apply takes', async () => {
    const world = await openRepository()
    script(world, three)
    const run = await world.shell(
      'pipe race -m fake/big,fake/small,fake/lazy "fix two" > patch; cat patch; git apply patch && cat a.txt',
    )
    const id = /([0-9a-f]{8})-fake-small/.exec(run.stderr)?.[1] ?? ''
    expectRun(run, {
      stdout: expect.stringMatching(
        /^diff --git a\/a\.txt b\/a\.txt\n[\s\S]*-two\n\+TWO\n[\s\S]*\none\nTWO\nthree\nmine\n$/,
      ),
      stderr: expect.stringMatching(
        new RegExp(
          [
            ' +model +result +changes +cost +time +kept as',
            String.raw` +fake/big +done +1 file \+2 -1 +\$0\.0000 +[\d.]+ m?s +${id}-fake-big`,
            String.raw`\* +fake/small +done +1 file \+1 -1 +\$0\.0000 +[\d.]+ m?s +${id}-fake-small`,
            String.raw` +fake/lazy +no changes +- +\$0\.0000 +[\d.]+ m?s +-`,
            `pipe: kept: .*pipe race drop ${id} drops all of them`,
          ].join('\n'),
        ),
      ),
    })
    expect(await refs(world)).toEqual([`refs/pipe/race/${id}-fake-big`, `refs/pipe/race/${id}-fake-small`])
    expect(
      (await world.shell('git worktree list; git status --porcelain')).stdout.trim().split('\n'),
    ).toHaveLength(3)
  })

  slowIt('exits as a run does if all models fail, and goes on if one of them fails', async () => {
    const world = await openRepository()
    const refuse = { status: 401 } as const
    world.server.reply(refuse, refuse)
    const failed = await world.pipe(['race', '-m', 'fake/a,fake/b', 'fix'])
    expect([failed.code, failed.stdout]).toEqual([41, ''])
    script(world, { small: three['small'] ?? [], gone: [refused] })
    const run = await world.pipe(['race', '-m', 'fake/small,fake/gone', '--apply', 'fix'])
    expect(run.code).toBe(0)
    expect(run.stderr).toMatch(/ +fake\/gone +error/)
  })

  it('applies the winner, and an undo takes that back', async () => {
    const world = await openRepository()
    script(world, three)
    const run = await world.pipe(['race', '-m', 'fake/big,fake/small,fake/lazy', '--apply', 'fix two'])
    expectRun(run, {
      stdout: '',
      stderr: expect.stringMatching(/pipe: applied \S+-fake-small: a\.txt; pipe undo reverts it\n$/),
    })
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe(fixed)
    expect((await world.pipe(['undo'])).code).toBe(0)
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nmine\n')
  })

  slowIt('spends one budget on all models', async () => {
    const world = await openRepository()
    const rounds = Array.from({ length: 20 }, (_, i) => call('bash', { command: `echo ${i} | cat` }))
    script(world, { big: rounds, small: rounds })
    const flags = ['--max-tokens', '100', '--yolo']
    const run = await world.pipe(['race', '-m', 'fake/big,fake/small', ...flags, 'fix two'])
    expect(run.code).toBe(47)
    // Each reply costs 15 tokens.
    expect(world.server.requests.length).toBeLessThanOrEqual(8)
  })

  slowIt('gives every model the same files, its folder and what came in on stdin', async () => {
    const world = await openRepository()
    script(world, { big: [text('no')], small: [text('no')] })
    await world.shell('echo piped | pipe race -m fake/big,fake/small "look at @a.txt"')
    for (const { body } of world.server.requests) {
      const said = outlineRequest(body).join('\n')
      expect(said).toContain('piped')
      expect(said).toContain('three\nmine')
      expect(said).toMatch(/cache\/pipe\/worktrees\/race\/[0-9a-f]{8}-fake-(big|small)\/tree\/project/)
      expect(said).not.toContain(`${world.cwd}\n`)
    }
    expect(world.server.requests).toHaveLength(2)
  })

  slowIt('sends nothing if a model cannot be opened, and leaves nothing behind', async () => {
    const world = await openRepository()
    const run = await world.pipe(['race', '-m', 'fake/small,nowhere/x', 'fix'])
    expect([run.code, run.stdout]).toEqual([52, ''])
    expect(world.server.requests).toEqual([])
    expect(
      (await world.shell('git for-each-ref refs/pipe; git worktree list')).stdout.trim().split('\n'),
    ).toHaveLength(1)
    const cache = join(world.env['HOME'] ?? '', '.cache', 'pipe', 'worktrees', 'race')
    expect(await readdir(cache)).toEqual([])
  })

  it('is interrupted by Ctrl+C: no process, folder or half a result is left', async () => {
    const world = await openRepository()
    world.server.reply({ sse: ': \n\n', ending: 'hang' }, { sse: ': \n\n', ending: 'hang' })
    const running = world.start(['race', '-m', 'fake/a,fake/b', 'fix'])
    await expect.poll(() => world.server.requests.length).toBe(2)
    running.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(await refs(world)).toEqual([])
    expect((await world.shell('git worktree list')).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('keeps what models had changed when Ctrl+C ended them, and names no winner', async () => {
    const world = await openRepository()
    for (let i = 0; i < 3; i++)
      world.server.reply(({ body }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const isFirst = body.messages.every(({ role }) => role !== 'assistant')
        if (body.model === 'busy' && isFirst) response.end(replyEvents(write('b.txt', 'b\n')).join(''))
        else response.write(': \n\n')
      })
    const running = world.start(['race', '-m', 'fake/busy,fake/idle', 'add b'])
    await expect.poll(() => world.server.requests.length).toBe(3)
    running.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: 'pipe: the race was interrupted; pipe race list shows what is kept\n',
    })
    const kept = await refs(world)
    expect(kept).toEqual([expect.stringMatching(/-fake-busy$/)])
    expect((await world.shell(`git show ${kept[0]}:b.txt`)).stdout).toBe('b\n')
    expect((await world.shell('git worktree list')).stdout.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['one model', ['-m', 'fake/a', 'fix'], 'needs 2 to 8 models, such as -m strong,fast; given: 1'],
    ['no model', ['fix'], 'given: none'],
    ['no task', ['-m', 'a,b'], 'needs TEXT'],
  ])('is refused with %s', async (_, args, words) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['race', ...args]), { code: 2, stdout: '', stderr: complaint(words) })
  })
})

quickDescribe.skipIf(!hasTerminal)('on a terminal', () => {
  it('shows the diff of the winner and applies it after a yes', async () => {
    const world = await openRepository()
    script(world, three)
    const terminal = await openTerminal(world, 'pipe race -m fake/big,fake/small,fake/lazy fix two')
    await terminal.until(/Apply the changes of fake\/small to 1 file\?[\s\S]*\+TWO[\s\S]*1 Yes, apply them/)
    await terminal.line('y')
    await terminal.until(/ended 0/)
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe(fixed)
  })

  it('changes nothing after a no', async () => {
    const world = await openRepository()
    script(world, three)
    const terminal = await openTerminal(world, 'pipe race -m fake/big,fake/small,fake/lazy fix two')
    await terminal.until(/1 Yes, apply them/)
    await terminal.line('')
    await terminal.until(/ended 0/)
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nmine\n')
  })
})
