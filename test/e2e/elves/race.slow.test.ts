import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { fixed, git, openRepository, refs, script, text, three, write } from './race-setup.ts'

describe('pipe race', () => {
  it('names empty submodules once', async () => {
    const world = await openRepository()
    script(world, three)
    await world.shell(
      `${git} -c protocol.file.allow=always submodule -q add "$PWD" sub; git add -A; ${git} commit -qm sub`,
    )
    const { code, stderr } = await world.pipe(['race', '-m', 'fake/big,fake/small', 'fix two'])
    expect([code, stderr.split('pipe: submodules without files in the worktree: "sub/"\n').length]).toEqual([
      0, 2,
    ])
  })

  it('lets the check decide, which runs in each worktree without the keys of providers', async () => {
    const world = await openRepository()
    script(world, three)
    const check = 'echo "saw $SOME_API_KEY."; grep -q more a.txt'
    const run = await world.pipe(
      ['race', '-m', 'fake/big', '-m', 'fake/small,fake/lazy', '--check', check, '--json', 'fix', 'two'],
      { env: { SOME_API_KEY: 'sesame' } },
    )
    expect(run.code).toBe(0)
    const told = JSON.parse(run.stdout)
    expect(told).toMatchObject({
      winner: `${told.id}-fake-big`,
      racers: [
        {
          id: `${told.id}-fake-big`,
          model: 'fake/big',
          result: 'passed',
          files: [{ path: 'a.txt', added: 2, removed: 1 }],
          ref: `refs/pipe/race/${told.id}-fake-big`,
        },
        { result: 'failed', error: { code: 'check', message: 'the check ended with 1', output: 'saw .\n' } },
        { result: 'no_changes', files: [] },
      ],
      diff: expect.stringContaining('+more\n'),
    })
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nmine\n')
  })

  it('exits 50 if no result passes, and shows the end of what the check said', async () => {
    const world = await openRepository()
    script(world, three)
    const run = await world.pipe([
      'race',
      '-m',
      'fake/big,fake/small,fake/lazy',
      '--check',
      'echo no good; false',
      'fix',
    ])
    expect([run.code, run.stdout]).toEqual([50, ''])
    expect(run.stderr).toContain('pipe: fake/small: the check ended with 1\n    no good\n')
    expect(run.stderr).toMatch(/pipe: no model passed the check\n$/)
    expect(await refs(world)).toHaveLength(2)
  })

  it('works outside of git', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one\n')
    script(world, { big: [write('b.txt', 'b\n'), text('done')], small: [text('no')] })
    const run = await world.pipe(['race', '-m', 'fake/big,fake/small', '--apply', 'add b'])
    expect(run.code).toBe(0)
    expect(await readFile(join(world.cwd, 'b.txt'), 'utf8')).toBe('b\n')
    expect(existsSync(join(world.cwd, '.git'))).toBe(false)
  })

  it('ends when its time is up, while models are at work', async () => {
    const world = await openRepository()
    world.server.reply({ sse: ': \n\n', ending: 'hang' }, { sse: ': \n\n', ending: 'hang' })
    const run = await world.pipe(['race', '-m', 'fake/a,fake/b', '--max-time', '3s', 'fix'])
    expect([run.code, run.stdout]).toEqual([47, ''])
    expect((await world.shell('git worktree list')).stdout.trim().split('\n')).toHaveLength(1)
  })
})

describe('kept results', () => {
  it('are listed, shown, applied once and dropped by the beginning of an id', async () => {
    const world = await openRepository()
    const { pipe, cwd } = world
    script(world, three)
    const { id } = JSON.parse(
      (await pipe(['race', '-m', 'fake/big,fake/small,fake/lazy', '--json', 'fix'])).stdout,
    )
    const { results } = JSON.parse((await pipe(['race', 'list', '--json'])).stdout)
    expect(results.map((one: { readonly id: string }) => one.id).sort()).toEqual([
      `${id}-fake-big`,
      `${id}-fake-small`,
    ])
    expect((await pipe(['race', 'show', `${id}-fake-b`])).stdout).toContain('+more\n')
    expectRun(await pipe(['race', 'show', id]), {
      code: 42,
      stdout: '',
      stderr: complaint('several ids begin with'),
    })
    expectRun(await pipe(['race', 'apply', `${id}-fake-big`, '--json']), {
      stdout: `${JSON.stringify({ id: `${id}-fake-big`, applied: ['a.txt'] })}\n`,
    })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe(`${fixed}more\n`)
    const again = await pipe(['race', 'apply', `${id}-fake-big`])
    expectRun(again, { stdout: '', stderr: complaint('has already been applied') })
    await writeFile(join(cwd, 'a.txt'), 'one\nzwei\nthree\nmine\n')
    const conflict = await pipe(['race', 'apply', `${id}-fake-small`])
    expectRun(conflict, { code: 42, stdout: '', stderr: complaint('nothing was applied') })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\nzwei\nthree\nmine\n')
    expect((await pipe(['race', 'drop', id])).code).toBe(0)
    expect((await world.shell('git for-each-ref refs/pipe')).stdout).toBe('')
    expectRun(await pipe(['race', 'drop', id]), { code: 52, stdout: '', stderr: complaint('race list') })
  })
})
