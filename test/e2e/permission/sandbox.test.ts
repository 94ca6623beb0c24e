import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../sandbox/sandboxed-project.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { untilNoneRuns, untilRuns } from '../../support/programs/processes.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, programWords } from '../../support/programs/world.ts'

const isDone = (name: string, folder: string) => existsSync(join(folder, name))

/** Has the model run these commands, one per round, and returns the results that the model receives. */
async function run(flags: readonly string[], ...calls: readonly object[]) {
  const world = await openWorld()
  const { pipe, put, server, cwd } = world
  await put('.git/config', 'mine')
  server.reply(...calls.map((call) => use(['bash', { ...call }])), say('Done.'))
  const ended = await pipe([...flags, '-q', 'do it'])
  const told = server.requests.slice(1).map(({ body }) => lastText(body))
  return { ...world, ended, told, did: (name: string) => isDone(name, cwd) }
}

const auto = ['--permission-mode', 'auto']

describe.skipIf(!hasBubblewrap)('mode auto', () => {
  it('runs commands without asking, and lets them change nothing outside the project', async () => {
    const { ended, told, did, home, cwd } = await run(
      auto,
      { command: 'echo x > made && echo ok' },
      { command: 'echo x > .git/config' },
      { command: `echo x > ${'$HOME'}/outside; echo x > $PIPE_HOME/config.json` },
    )
    expectRun(ended, { stdout: 'Done.\n' })
    expect(told).toEqual([
      'tool: ok',
      expect.stringMatching(
        /Read-only file system\n\[exit code 1; probably blocked by the sandbox: commands write only/,
      ),
      expect.stringMatching(/probably blocked by the sandbox/),
    ])
    expect([
      did('made'),
      readFileSync(join(cwd, '.git/config'), 'utf8'),
      isDone('outside', join(home, '..')),
    ]).toEqual([true, 'mine', false])
    expect((await readdir(cwd)).sort()).toEqual(['.git', 'made'])
  })

  it('lets commands change no settings of tools that are there', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    const paths = ['.vimrc', 'sub/bunfig.toml', '.cargo/config.toml', '.yarn/releases/y.js']
    for (const path of paths) await put(path, 'mine')
    server.reply(
      ...paths.map((path) => use(['bash', { command: `echo evil > ${path}` }])),
      use(['bash', { command: 'echo x > sub/other' }]),
      say('Done.'),
    )
    expectRun(await pipe([...auto, '-q', 'go']), { stdout: 'Done.\n' })
    expect(paths.map((path) => readFileSync(join(cwd, path), 'utf8'))).toEqual(paths.map(() => 'mine'))
    expect(isDone('sub/other', cwd)).toBe(true)
  })

  it('edits files of the project, but neither files elsewhere nor git hooks', async () => {
    const { pipe, put, server, cwd, home } = await openWorld()
    await put('a.txt', 'one\n')
    server.reply(
      use(['write', { path: 'new.txt', content: 'x' }]),
      use(['write', { path: '.git/hooks/pre-commit', content: 'x' }]),
      use(['write', { path: join(home, 'x'), content: 'x' }]),
      say('Done.'),
    )
    expectRun(await pipe([...auto, '-q', 'go']), { stdout: 'Done.\n' })
    expect([isDone('new.txt', cwd), isDone('.git', cwd), isDone('x', home)]).toEqual([true, false, false])
  })

  it('protects ssh keys, shell startup files and programs if the home folder is the project', async () => {
    const world = await openWorld()
    const home = join(world.home, '..')
    const paths = [
      '.ssh/authorized_keys',
      '.config/fish/config.fish',
      '.local/bin/git',
      '.bashrc',
      '.gitconfig',
    ]
    const tries = paths.map((path) => `mkdir -p $(dirname ${path}); echo x > ${path}`)
    writeFileSync(join(home, 'tries.sh'), [...tries, 'echo x > made'].join('\n'))
    world.server.reply(use(['bash', { command: 'sh tries.sh' }]), say('Done.'))
    expectRun(await world.pipe([...auto, 'go'], { cwd: home }), {
      stdout: 'Done.\n',
      stderr: complaint('what commands change cannot be undone: the home folder'),
    })
    expect([...paths, 'made'].filter((path) => isDone(path, home))).toEqual(['made'])
  })

  it('keeps a script from writing existing files that a deny rule names, and lets it write others', async () => {
    const { pipe, put, configure, server, cwd } = await openWorld()
    const rules = ['Edit(src.txt)', 'Edit(later.txt)', 'Edit(gen/**)', 'Edit(*.lock)']
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      permissions: { deny: rules, mode: 'auto' },
    })
    const names = ['src.txt', 'later.txt', 'gen/a/f', 'other.txt']
    await put('src.txt', 'mine')
    await put('gen/a/f', 'mine')
    await put('write.sh', 'for f; do echo EVIL > $f; done')
    server.reply(use(['bash', { command: `sh ./write.sh ${names.join(' ')}` }]), say('Done.'))
    expectRun(await pipe(['go']), { stdout: 'Done.\n' })
    const read = (name: string) => (isDone(name, cwd) ? readFileSync(join(cwd, name), 'utf8') : undefined)
    expect(names.map(read)).toEqual(['mine', 'EVIL\n', 'mine', 'EVIL\n'])
  })

  it('SAND-221: needs a permission to leave the sandbox, even if the call asks for it', async () => {
    for (const flags of [auto, ['--yolo', '--sandbox', 'workspace-write']]) {
      const { ended, told, did } = await run(
        flags,
        { command: 'touch /x' },
        { command: 'touch made; touch /x', sandbox: false },
      )
      expectRun(ended, { stdout: 'Done.\n' })
      expect(told[0]).toMatch(/Read-only file system\n\[exit code 1; probably blocked by the sandbox/)
      expect(told[1]).toBe(
        'tool: Permission denied: it asks to run outside the sandbox, and nobody can be asked for permission here. The call was not carried out.',
      )
      expect([did('made'), existsSync('/x')]).toEqual([false, false])
    }
  })

  it('SAND-220: ends the commands if pipe is killed', async () => {
    const { start, server } = await openWorld()
    const marker = `300.${process.pid}`
    server.reply(use(['bash', { command: `trap '' TERM HUP; setsid sleep ${marker} & sleep ${marker}` }]))
    const running = start([...auto, 'go'])
    await untilRuns(marker)
    running.kill('SIGKILL')
    await running.ended
    await untilNoneRuns(marker)
  })
})

describe('--sandbox', () => {
  it.skipIf(!hasBubblewrap)('read-only lets commands change nothing', async () => {
    const { ended, told, did } = await run(['--yolo', '--sandbox', 'read-only'], {
      command: 'cat .git/config; touch made',
    })
    expectRun(ended, { stdout: 'Done.\n' })
    expect([told[0], did('made')]).toEqual([
      expect.stringMatching(
        /^tool: mine\n?touch: cannot touch 'made': Read-only file system\n\[exit code 1; probably blocked/,
      ),
      false,
    ])
  })

  it('off makes auto ask like default, and says so', async () => {
    const { ended, told, did } = await run([...auto, '--sandbox', 'off'], { command: 'touch made' })
    expectRun(ended, {
      stdout: 'Done.\n',
      stderr: 'pipe: mode auto asks like default, because commands have no sandbox: it is switched off\n',
    })
    expect([told.join(), did('made')]).toEqual([expect.stringContaining('Permission denied'), false])
  })

  it('ends the run if it is required and does not work; auto then asks like default', async () => {
    const { shell, server } = await openWorld()
    server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const noPath = (line: string) => shell(`PATH=/none; ${programWords.join(' ')} ${line}`)
    expectRun(await noPath('--sandbox workspace-write go'), {
      code: 44,
      stdout: '',
      stderr: complaint(
        'commands cannot be run in a sandbox: bubblewrap (bwrap) is not installed; install it',
      ),
    })
    expectRun(await noPath('-q --permission-mode auto go'), {
      stdout: 'Done.\n',
      stderr: complaint(
        'mode auto asks like default, because commands have no sandbox: bubblewrap (bwrap) is not installed',
      ),
    })
  })
})
