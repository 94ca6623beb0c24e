import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'

const edit = (path: string, old = 'one', text = 'two') =>
  use(['edit', { path, old_text: old, new_text: text }])
const read = (...paths: readonly string[]) => use(...paths.map((path) => ['read', { path }] as const))
const bash = (command: string) => use(['bash', { command }])

/** Runs git and other lines of shell in the project, with an identity and submodules from local paths. */
function shell(world: World, script: string): string {
  const env = {
    PATH: world.env['PATH'],
    HOME: world.env['HOME'],
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'protocol.file.allow',
    GIT_CONFIG_VALUE_0: 'always',
    GIT_CONFIG_KEY_1: 'user.name',
    GIT_CONFIG_VALUE_1: 'Ann',
    GIT_CONFIG_KEY_2: 'user.email',
    GIT_CONFIG_VALUE_2: 'ann@example.org',
  }
  return execFileSync('bash', ['-ec', script], { cwd: world.cwd, env, encoding: 'utf8' })
}

/** A world with two repositories of one commit each, beside the project. */
async function withLibraries(): Promise<World & { text(path: string): string }> {
  const world = await openWorld()
  shell(
    world,
    `for lib in one two; do
      git init -q ../lib-$lib; echo one > ../lib-$lib/a.txt; mkdir ../lib-$lib/src; echo one > ../lib-$lib/src/b.txt
      echo '*.log' > ../lib-$lib/.gitignore
      git -C ../lib-$lib add .; git -C ../lib-$lib commit -q -m first
    done`,
  )
  return { ...world, text: (path) => readFileSync(join(world.cwd, path), 'utf8') }
}

describe('pipe undo of what write and edit changed', () => {
  it('covers ignored files, in a later process, and so does its redo', async () => {
    const { put, server, pipe, cwd } = await openWorld()
    await put('.gitignore', '.env*\nbuild/\n')
    await put('.env', 'one\n')
    await put('a.txt', 'one\n')
    const write = { path: 'build/deep/new.txt', content: 'made\n' }
    server.reply(
      read('.env', 'a.txt'),
      edit('.env'),
      edit('.env', 'two', 'three'),
      edit('a.txt'),
      use(['write', write]),
      say('Done.'),
    )
    expectRun(await pipe(['--yolo', 'configure']), { stdout: 'Done.\n' })
    const texts = () => ['.env', 'a.txt'].map((path) => readFileSync(join(cwd, path), 'utf8'))
    for (let i = 0; i < 2; i++) {
      expectRun(await pipe(['undo']), {
        stdout:
          'undid: configure\n  changed      .env\n  changed      a.txt\n  removed      build/deep/new.txt\n',
      })
      expect([texts(), existsSync(join(cwd, 'build'))]).toEqual([['one\n', 'one\n'], false])
      expectRun(await pipe(['undo', '--redo']), {
        stdout:
          'redid: configure\n  changed      .env\n  changed      a.txt\n  restored     build/deep/new.txt\n',
      })
      expect(texts()).toEqual(['three\n', 'two\n'])
      expect(readFileSync(join(cwd, 'build/deep/new.txt'), 'utf8')).toBe('made\n')
    }
  })

  it('covers files outside of the project and inside a git folder, bytes and modes included', async () => {
    const world = await openWorld()
    const { put, server, pipe, cwd } = world
    const outside = join(cwd, '../outside.sh')
    const bytes = Buffer.from('\ufeffone\r\nümlaut\r\n')
    writeFileSync(outside, bytes, { mode: 0o750 })
    shell(world, 'git init -q .')
    await put('.git/info/exclude', 'one\n')
    server.reply(read(outside, '.git/info/exclude'), edit(outside), edit('.git/info/exclude'), say('Done.'))
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    expect(readFileSync(outside)).not.toEqual(bytes)
    expectRun(await pipe(['undo']), {
      stdout: `undid: go\n  changed      .git/info/exclude\n  changed      ${outside}\n`,
    })
    expect(readFileSync(outside)).toEqual(bytes)
    expect(shell(world, 'stat -c %a ../outside.sh; cat .git/info/exclude')).toBe('750\none\n')
  })

  it('refuses an ignored file that changed since, unless forced, and the redo brings that change back', async () => {
    const { put, server, pipe, cwd } = await openWorld()
    await put('.gitignore', '.env\n')
    await put('.env', 'one\n')
    server.reply(read('.env'), edit('.env'), say('Done.'))
    await pipe(['--yolo', 'go'])
    await put('.env', 'mine\n')
    const env = () => readFileSync(join(cwd, '.env'), 'utf8')
    expectRun(await pipe(['undo']), {
      code: 42,
      stdout: '',
      stderr: complaint('nothing was restored: changed since the turn, and would be lost: .env'),
    })
    expect(env()).toBe('mine\n')
    expectRun(await pipe(['undo', '--force']), { stdout: 'undid: go\n  changed      .env\n' })
    expect(env()).toBe('one\n')
    expectRun(await pipe(['undo', '--redo']), { stdout: 'redid: go\n  changed      .env\n' })
    expect(env()).toBe('mine\n')
  })

  it('covers a turn that was killed, by force', async () => {
    const { put, server, start, pipe, shell: run, cwd } = await openWorld()
    await put('.gitignore', '.env\ngate\n')
    await put('.env', 'one\n')
    await run('mkfifo gate')
    const made = use(['write', { path: 'made', content: 'x\n' }])
    server.reply(read('.env'), edit('.env'), made, bash('echo x > gate; sleep 60'))
    const running = start(['--yolo', 'go'])
    await run('cat gate')
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    expectRun(await pipe(['undo']), {
      code: 42,
      stdout: '',
      stderr: complaint(/cannot be told from later.*; force overwrites them \(--force,/),
    })
    const files = '  changed      .env\n  removed      made\n'
    expectRun(await pipe(['undo', '--force']), { stdout: `undid: go\n${files}` })
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('one\n')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    expectRun(await pipe(['undo', '--redo']), {
      stdout: `redid: go\n${files.replace('removed ', 'restored')}`,
    })
  })

  it('covers the home folder, and names what it does not', async () => {
    const { put, server, pipe, cwd } = await openWorld()
    const env = { HOME: cwd }
    await put('.bashrc', 'one\n')
    server.reply(read('.bashrc'), edit('.bashrc'), say('Done.'))
    expectRun(await pipe(['--yolo', 'edit'], { env }), { stdout: 'Done.\n' })
    server.reply(bash('echo x > made'), say('Done.'))
    const why = 'the home folder is too large to save; work in a project below it'
    expectRun(await pipe(['--yolo', 'make'], { env }), {
      stdout: 'Done.\n',
      stderr: `pipe: what commands change cannot be undone: ${why}\n`,
    })
    expectRun(await pipe(['undo'], { env }), {
      code: 42,
      stdout: `nothing undone: make\n  not saved    what commands changed (${why})\n`,
    })
    expect(existsSync(join(cwd, 'made'))).toBe(true)
    expectRun(await pipe(['undo'], { env }), { stdout: 'undid: edit\n  changed      .bashrc\n' })
    expect(readFileSync(join(cwd, '.bashrc'), 'utf8')).toBe('one\n')
  })
})

describe('pipe undo in nested repositories', () => {
  it('restores what edits and commands changed in submodules, and in those of submodules', async () => {
    const world = await withLibraries()
    const { server, pipe, text } = world
    shell(
      world,
      `git -C ../lib-one submodule -q add ../lib-two deep; git -C ../lib-one commit -q -m deep
       git init -q .; echo one > top.txt; git submodule -q add ../lib-one sub
       git submodule -q update --init --recursive; git add .; git commit -q -m first
       echo log > sub/my.log`,
    )
    const status = () =>
      shell(world, 'git status --porcelain; git submodule -q foreach --recursive git status --porcelain')
    expect(status()).toBe('')
    server.reply(
      read('sub/a.txt'),
      edit('sub/a.txt'),
      bash(
        'echo x > sub/src/b.txt; rm sub/deep/a.txt; echo new > sub/deep/new.txt; echo two > top.txt; echo 2 > sub/my.log',
      ),
      say('Done.'),
    )
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    const after = status()
    expectRun(await pipe(['undo']), {
      stdout:
        'undid: go\n  changed      sub/a.txt\n  changed      sub/src/b.txt\n  changed      top.txt\n' +
        '  removed      sub/deep/new.txt\n  restored     sub/deep/a.txt\n',
    })
    expect([status(), text('sub/a.txt'), text('sub/my.log')]).toEqual(['', 'one\n', '2\n'])
    expectRun(await pipe(['undo', '--redo']), { stdout: expect.stringMatching(/^redid: go\n/) })
    expect(status()).toBe(after)
  })

  it('covers several clones in one folder that is no repository itself, from the first turn on', async () => {
    const world = await withLibraries()
    const { server, pipe, text } = world
    shell(world, 'git clone -q ../lib-one one; git clone -q ../lib-two two; git init -q empty')
    server.reply(
      read('one/a.txt'),
      edit('one/a.txt'),
      bash('cd two; sed -i s/one/two/ a.txt src/b.txt; echo x > ../empty/x; rm .gitignore; echo > a.log'),
      say('Done.'),
    )
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    expectRun(await pipe(['undo']), {
      stdout:
        'undid: go\n  changed      one/a.txt\n  changed      two/a.txt\n  changed      two/src/b.txt\n' +
        '  removed      empty/x\n  removed      two/a.log\n  restored     two/.gitignore\n',
    })
    expect(shell(world, 'git -C one status --porcelain; git -C two status --porcelain')).toBe('')
    expect(text('two/src/b.txt')).toBe('one\n')
  })

  it('leaves a repository that the turn made as it is, and names it', async () => {
    const world = await withLibraries()
    const { server, pipe, text } = world
    server.reply(bash('git clone -q ../lib-one one'), say('Done.'))
    expectRun(await pipe(['--yolo', 'clone']), {
      stdout: 'Done.\n',
      stderr: 'pipe: changed, but not saved for undo: one/\n',
    })
    expectRun(await pipe(['undo']), { code: 42, stdout: 'nothing undone: clone\n  left alone   one/\n' })
    expect(text('one/a.txt')).toBe('one\n')
  })
})

describe('pipe undo above the limit of files', () => {
  async function large() {
    const world = await openWorld()
    await world.put('a.txt', 'one\n')
    mkdirSync(join(world.cwd, 'many'))
    shell(world, 'cd many; seq 20000 | xargs touch')
    return { ...world, text: (path: string) => readFileSync(join(world.cwd, path), 'utf8') }
  }

  // On a busy machine the time is over first.
  const why =
    '(there are more than 20000 files; list the ones to skip in .gitignore|saving the files took longer than 2 s)'
  const pattern = (text: string) => expect.stringMatching(new RegExp(`^${text}$`))

  it('covers what edit and write changed, and nobody is warned of anything', async () => {
    const { server, pipe, text, cwd } = await large()
    server.reply(
      read('a.txt'),
      edit('a.txt'),
      use(['write', { path: 'b.txt', content: 'new\n' }]),
      say('Done.'),
    )
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    expectRun(await pipe(['undo']), { stdout: 'undid: go\n  changed      a.txt\n  removed      b.txt\n' })
    expect([text('a.txt'), existsSync(join(cwd, 'b.txt'))]).toEqual(['one\n', false])
    expectRun(await pipe(['undo', '--redo']), {
      stdout: 'redid: go\n  changed      a.txt\n  restored     b.txt\n',
    })
    expect([text('a.txt'), text('b.txt')]).toEqual(['two\n', 'new\n'])
  })

  it('names what commands changed: once while it runs, by the undo, and to the model', async () => {
    const { server, pipe, text } = await large()
    server.reply(read('a.txt'), edit('a.txt'), bash('echo x > b.txt'), bash('echo y > c.txt'), say('Done.'))
    expectRun(await pipe(['--yolo', 'go']), {
      stdout: 'Done.\n',
      stderr: pattern(`pipe: what commands change cannot be undone: ${why}\n`),
    })
    server.reply(bash('rm c.txt'), say('Gone.'))
    await pipe(['--yolo', '-c', 'remove'])
    const line = `  not saved    what commands changed \\(${why}\\)\n`
    expectRun(await pipe(['undo', '2']), {
      code: 42,
      stdout: pattern(`nothing undone: remove\n${line}undid: go\n  changed      a.txt\n${line}`),
    })
    expect(text('b.txt')).toBe('x\n')
    server.reply(say('I see.'))
    await pipe(['-c', 'what now?'])
    const { body } = server.requests.at(-1) ?? expect.unreachable()
    expect(lastText(body)).toContain(
      'The user undid nothing of the turn "remove". not saved, so unchanged: what commands changed.',
    )
  })

  it('says so in JSON', async () => {
    const { server, pipe } = await large()
    server.reply(bash('echo x > b.txt'), say('Done.'))
    const { stdout } = await pipe(['--yolo', '-o', 'stream-json', 'go'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ type }) => type === 'checkpoint')).toMatchObject([
      { notes: [pattern(`what commands change cannot be undone: ${why}`)], unsaved: 'what commands changed' },
      { notes: [] },
    ])
    const { stdout: undone } = await pipe(['undo', '--json'])
    expect(JSON.parse(undone)).toMatchObject({
      turns: [
        {
          changed: [],
          removed: [],
          brought_back: [],
          left_alone: [],
          not_saved: [{ path: '', reason: pattern(why) }],
        },
      ],
    })
  })
})

describe('/undo in the terminal UI', () => {
  it('covers ignored files, and the row of the turn names what it does not', async () => {
    const world = await openWorld()
    await world.put('.gitignore', '.env\n')
    await world.put('.env', 'one\n')
    shell(world, 'mkdir many; cd many; seq 20000 | xargs touch')
    const call = (name: string, args: object) => ({ type: 'tool_call' as const, name, arguments: args })
    const rounds = [
      { blocks: [call('read', { path: '.env' })] },
      { blocks: [call('edit', { path: '.env', old_text: 'one', new_text: 'two' })] },
      { blocks: [call('bash', { command: 'echo x > b.txt' })] },
      { blocks: [{ type: 'text' as const, text: 'Done.' }] },
    ]
    const screen = await play(world, { columns: 100, rows: 30 }, rounds, 'exec pipe --yolo')
    screen.type('go\r')
    await screen.until(/✓ .*1 file \+1 −1 · no undo for what commands changed +\/diff {2}\/undo/)
    screen.type('/undo\r')
    await screen.until(
      /undid: go\n *changed +\.env\n *not saved +what commands changed \((there are more|saving)/,
    )
    expect(readFileSync(join(world.cwd, '.env'), 'utf8')).toBe('one\n')
    screen.type('/redo\r')
    await screen.until(/redid: go\n *changed +\.env/)
    expect(readFileSync(join(world.cwd, '.env'), 'utf8')).toBe('two\n')
    rmSync(join(world.cwd, 'many'), { recursive: true })
  })
})
