import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { outlineRequest } from '../support/models/replies.ts'
import { complaint, expectRun } from '../support/programs/program.ts'
import { openWorld, type World } from '../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../support/terminals/terminal.ts'
import { replyEvents } from '../support/vendors/chat-sse.ts'

const text = (words: string): readonly ScriptBlock[] => [{ type: 'text', text: words }]
const call = (name: string, args: Record<string, string>): readonly ScriptBlock[] => [
  { type: 'tool_call', name, arguments: args },
]
const read = call('read', { path: 'a.txt' })
const write = (path: string, content: string) => call('write', { path, content })

/** Stands for an answer with the status 401. */
const refused: readonly ScriptBlock[] = []

type Scripts = Readonly<Record<string, readonly (readonly ScriptBlock[])[]>>

/** Lets each model answer with its own replies, in whatever order the requests come. */
function script({ server }: World, scripts: Scripts): void {
  for (const _ of Object.values(scripts).flat())
    server.reply(({ body }, response) => {
      const round = body.messages.filter(({ role }) => role === 'assistant').length
      const blocks = scripts[body.model]?.[round]
      if (blocks === undefined || blocks === refused) return void response.writeHead(401).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents(blocks).join(''))
    })
}

const git = 'git -c user.name=Ann -c user.email=a@b'

/** A world with a repository in which one file is changed and not committed. */
async function openRepository(): Promise<World> {
  const world = await openWorld()
  await world.put('a.txt', 'one\ntwo\nthree\n')
  await world.shell(`git init -q -b main; git add -A; ${git} commit -qm one`)
  await world.put('a.txt', 'one\ntwo\nthree\nmine\n')
  return world
}

const fixed = 'one\nTWO\nthree\nmine\n'
const three: Scripts = {
  big: [read, write('a.txt', `${fixed}more\n`), text('done')],
  small: [read, write('a.txt', fixed), text('done')],
  lazy: [text('nothing to do')],
}

const refs = async ({ shell }: World) =>
  (await shell('git for-each-ref --format="%(refname)" refs/pipe/race')).stdout
    .trim()
    .split('\n')
    .filter(Boolean)

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
          ...{ id: `${told.id}-fake-big`, model: 'fake/big', result: 'passed' },
          ...{ files: [{ path: 'a.txt', added: 2, removed: 1 }], ref: `refs/pipe/race/${told.id}-fake-big` },
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

  it('exits as a run does if all models fail, and goes on if one of them fails', async () => {
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
      stderr: expect.stringMatching(/pipe: applied \S+-fake-small: a\.txt; pipe undo takes it back\n$/),
    })
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe(fixed)
    expect((await world.pipe(['undo'])).code).toBe(0)
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nmine\n')
  })

  it('spends one budget on all models', async () => {
    const world = await openRepository()
    const rounds = Array.from({ length: 20 }, (_, i) => call('bash', { command: `echo ${i} | cat` }))
    script(world, { big: rounds, small: rounds })
    const flags = ['--max-tokens', '100', '--yolo']
    const run = await world.pipe(['race', '-m', 'fake/big,fake/small', ...flags, 'fix two'])
    expect(run.code).toBe(47)
    // Each reply costs 15 tokens.
    expect(world.server.requests.length).toBeLessThanOrEqual(8)
  })

  it('gives every model the same files, its folder and what came in on stdin', async () => {
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

  it('works outside of git', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one\n')
    script(world, { big: [write('b.txt', 'b\n'), text('done')], small: [text('no')] })
    const run = await world.pipe(['race', '-m', 'fake/big,fake/small', '--apply', 'add b'])
    expect(run.code).toBe(0)
    expect(await readFile(join(world.cwd, 'b.txt'), 'utf8')).toBe('b\n')
    expect(existsSync(join(world.cwd, '.git'))).toBe(false)
  })

  it('sends nothing if a model cannot be opened, and leaves nothing behind', async () => {
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

  it('ends when its time is up, while models are at work', async () => {
    const world = await openRepository()
    world.server.reply({ sse: ': \n\n', ending: 'hang' }, { sse: ': \n\n', ending: 'hang' })
    const run = await world.pipe(['race', '-m', 'fake/a,fake/b', '--max-time', '3s', 'fix'])
    expect([run.code, run.stdout]).toEqual([47, ''])
    expect((await world.shell('git worktree list')).stdout.trim().split('\n')).toHaveLength(1)
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

  it.each([
    ['one model', ['-m', 'fake/a', 'fix'], 'needs 2 to 8 models'],
    ['no model', ['fix'], 'there are none'],
    ['no task', ['-m', 'a,b'], 'needs TEXT'],
  ])('is refused with %s', async (_, args, words) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['race', ...args]), { code: 2, stdout: '', stderr: complaint(words) })
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
      stderr: complaint('begins several ids'),
    })
    expectRun(await pipe(['race', 'apply', `${id}-fake-big`, '--json']), {
      stdout: `${JSON.stringify({ id: `${id}-fake-big`, applied: ['a.txt'] })}\n`,
    })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe(`${fixed}more\n`)
    const again = await pipe(['race', 'apply', `${id}-fake-big`])
    expectRun(again, { stdout: '', stderr: complaint('was applied before') })
    await writeFile(join(cwd, 'a.txt'), 'one\nzwei\nthree\nmine\n')
    const conflict = await pipe(['race', 'apply', `${id}-fake-small`])
    expectRun(conflict, { code: 42, stdout: '', stderr: complaint('nothing was applied') })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\nzwei\nthree\nmine\n')
    expect((await pipe(['race', 'drop', id])).code).toBe(0)
    expect((await world.shell('git for-each-ref refs/pipe')).stdout).toBe('')
    expectRun(await pipe(['race', 'drop', id]), { code: 52, stdout: '', stderr: complaint('race list') })
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
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
