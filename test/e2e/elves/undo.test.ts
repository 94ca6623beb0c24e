import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { after, before, changed, tree, undone, withGit } from './undo-setup.ts'

describe('pipe undo', () => {
  it('undoes the changes of the last turn, commands included, and redoes them', async () => {
    const { pipe, files } = await changed()
    expect(files()).toEqual(after)
    expectRun(await pipe(['undo']), { stdout: undone })
    expect(files()).toEqual(before)
    expectRun(await pipe(['undo', '--redo']), {
      stdout: `redid: turn it over
  changed      a.txt
  changed      b.txt
  removed      gone.txt
  restored     made/new.txt
`,
    })
    expect(files()).toEqual(after)
    expectRun(await pipe(['undo']), { stdout: undone })
    expect(files()).toEqual(before)
    expectRun(await pipe(['undo']), {
      code: 42,
      stdout: '',
      stderr: complaint('there is nothing to undo in'),
    })
  })

  slowIt('undoes renames of files and folders, ignored ones included, and redoes them', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('.gitignore', '*.log\n')
    await put('src/a.ts', 'a\n')
    await put('src/deep/b.ts', 'b\n')
    await put('run.log', 'ran\n')
    const old = tree(cwd)
    server.reply(
      use(['rename', { from: 'src', to: 'lib/code' }]),
      use(['rename', { from: 'run.log', to: 'logs/old.log' }]),
      say('Moved.'),
    )
    expectRun(await pipe(['--permission-mode', 'accept-edits', 'tidy up']), { stdout: 'Moved.\n' })
    const moved = {
      '.gitignore': '*.log\n',
      'lib/code/a.ts': 'a\n',
      'lib/code/deep/b.ts': 'b\n',
      'logs/old.log': 'ran\n',
    }
    expect(tree(cwd)).toEqual(moved)
    expectRun(await pipe(['undo']), { stdout: expect.stringContaining('undid: tidy up') })
    expect(tree(cwd)).toEqual(old)
    expectRun(await pipe(['undo', '--redo']), { stdout: expect.stringContaining('redid: tidy up') })
    expect(tree(cwd)).toEqual(moved)
  })

  it('undoes several turns, and lists them', async () => {
    const { pipe, files, server } = await changed()
    server.reply(use(['bash', { command: 'echo 3 > a.txt' }]), say('Three.'))
    await pipe(['-c', '--yolo', 'make it three'])
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'
    const list = (...lines: readonly string[]) =>
      expect.stringMatching(new RegExp(`^${lines.join('\\n')}\\n$`))
    expectRun(await pipe(['undo', '--list']), {
      stdout: list(` {5}1  ${time}  make it three`, ` {5}2  ${time}  turn it over`),
    })
    expectRun(await pipe(['undo', '2']), { stdout: `undid: make it three\n  changed      a.txt\n${undone}` })
    expect(files()).toEqual(before)
    expectRun(await pipe(['undo', '--list']), {
      stdout: list(`undone  ${time}  make it three`, `undone  ${time}  turn it over`),
    })
  })

  slowIt('undoes turns across the sessions of the folder, newest first', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('a.txt', '0\n')
    for (const number of [1, 2, 3]) {
      server.reply(use(['bash', { command: `echo ${number} > a.txt` }]), say('Done.'))
      await pipe(['--yolo', `turn ${number}`])
    }
    const { stdout } = await pipe(['undo', '--list'])
    expect(stdout.match(/turn \d/g)).toEqual(['turn 3', 'turn 2', 'turn 1'])
    expectRun(await pipe(['undo', '3']), {
      stdout: [3, 2, 1].map((number) => `undid: turn ${number}\n  changed      a.txt\n`).join(''),
    })
    expect(tree(cwd)).toEqual({ 'a.txt': '0\n' })
    expectRun(await pipe(['undo', '2', '--redo']), {
      stdout: expect.stringMatching(/turn 1\n[\s\S]*turn 2\n/),
    })
    expect(tree(cwd)).toEqual({ 'a.txt': '2\n' })
  })

  it('does not cover what commands do in added folders, and the run names them once', async () => {
    const { pipe, cwd, server, home } = await openWorld()
    mkdirSync(join(cwd, 'within'))
    const added = ['--add-dir', 'within', '--add-dir', home]
    server.reply(use(['bash', { command: 'ls' }]), use(['bash', { command: 'echo > a' }]), say('Done.'))
    const run = await pipe(['-v', '--yolo', ...added, 'write'])
    expectRun(run, { stdout: 'Done.\n', stderr: expect.any(String) })
    const note = `pipe: what commands change in added folders cannot be undone: ${home}\n`
    expect(run.stderr.split(note)).toHaveLength(2)
  })

  it('removes and names the folders that a command made', async () => {
    const { pipe, cwd, server } = await openWorld()
    server.reply(use(['bash', { command: 'mkdir -p a/b' }]), say('Done.'))
    expectRun(await pipe(['--yolo', 'make']), { stdout: 'Done.\n' })
    expectRun(await pipe(['undo']), { stdout: 'undid: make\n  removed      a/\n  removed      a/b/\n' })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('prints JSON with --json and -o json', async () => {
    const { pipe, sessions } = await changed()
    const [session] = await sessions()
    const turn = { type: 'undo', session_id: session?.id, label: 'turn it over', at: expect.any(String) }
    const { stdout: listed } = await pipe(['undo', '--list', '--json'])
    expect(JSON.parse(listed)).toEqual({ turns: [turn] })
    const { stdout } = await pipe(['undo', '-o', 'json'])
    const files = {
      changed: ['a.txt', 'b.txt'],
      removed: ['made/new.txt'],
      brought_back: ['gone.txt'],
      left_alone: [],
      not_saved: [],
    }
    expect(JSON.parse(stdout)).toEqual({ turns: [{ ...turn, ...files }] })
  })

  slowIt('prints one JSON document for several turns, also if one of them fails', async () => {
    const { pipe } = await changed()
    const { code, stdout } = await pipe(['undo', '2', '--json'])
    expect(code).not.toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ turns: [{ label: 'turn it over' }] })
  })

  it('refuses files that changed since the turn, unless forced', async () => {
    const { pipe, put, files } = await changed()
    await put('a.txt', 'mine\n')
    expectRun(await pipe(['undo']), {
      code: 42,
      stdout: '',
      stderr: complaint(
        'nothing was restored: changed since the turn, and would be lost: a.txt; force overwrites them (--force,',
      ),
    })
    expect(files()).toEqual({ ...after, 'a.txt': 'mine\n' })
    expectRun(await pipe(['undo', '--force']), { stdout: undone })
    expect(files()).toEqual(before)
    expectRun(await pipe(['undo', '--redo']), { stdout: expect.stringContaining('redid') })
    expect(files()).toEqual({ ...after, 'a.txt': 'mine\n' })
  })

  slowIt('tells the model with the next message, once', async () => {
    const { pipe, server } = await changed()
    await pipe(['undo'])
    server.reply(say('I see.'), say('Yes.'))
    await pipe(['-c', 'what now?'])
    await pipe(['-c', 'and now?'])
    const [first = '', second = ''] = server.requests.slice(-2).map(({ body }) => lastText(body))
    const word =
      'The user undid the file changes of the turn "turn it over". changed: "a.txt", "b.txt". removed: "made/new.txt". ' +
      'restored: "gone.txt". Read files again before you rely on them.'
    expect(first).toContain(`${word}\n`)
    expect(first.endsWith('what now?')).toBe(true)
    expect(second).not.toContain('undid')
    expect((await pipe(['sessions', 'show', '0'])).stdout).not.toContain('undid')
  })

  slowIt('covers the whole repository, even if the turn ran in a folder below', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('.git/HEAD', 'ref: refs/heads/main\n')
    await put('sub/a.txt', 'one\n')
    server.reply(use(['bash', { command: 'echo two > a.txt; echo new > ../b.txt' }]), say('Done.'))
    await pipe(['--yolo', '-C', 'sub', 'change'])
    expectRun(await pipe(['undo']), {
      stdout: 'undid: change\n  changed      sub/a.txt\n  removed      b.txt\n',
    })
    expect(tree(cwd)).toEqual({ '.git/HEAD': 'ref: refs/heads/main\n', 'sub/a.txt': 'one\n' })
  })

  slowIt('keeps the folder in which it was called, even if it is empty', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('.git/HEAD', 'ref: refs/heads/main\n')
    mkdirSync(join(cwd, 'sub'))
    server.reply(use(['bash', { command: 'echo x > y' }]), say('Done.'))
    await pipe(['--yolo', '-C', 'sub', 'change'])
    expectRun(await pipe(['-C', 'sub', 'undo']), { stdout: 'undid: change\n  removed      sub/y\n' })
    expect(readdirSync(join(cwd, 'sub'))).toEqual([])
  })

  slowIt('has nothing to undo after a turn that only read, or without a session', async () => {
    const { pipe, put, server, home } = await openWorld()
    await put('a.txt', 'one\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('One.'))
    await pipe(['--yolo', 'look'])
    server.reply(use(['bash', { command: 'echo two > a.txt' }]), say('Two.'))
    expectRun(await pipe(['-v', '--no-session', '--yolo', 'change']), {
      stdout: 'Two.\n',
      stderr: expect.stringMatching(/^• bash [^\n]*\n {2}✓ [^\n]*\n$/),
    })
    expect(existsSync(join(home, 'checkpoints'))).toBe(false)
    expectRun(await pipe(['undo']), {
      code: 42,
      stdout: '',
      stderr: complaint('there is nothing to undo in'),
    })
    expectRun(await pipe(['undo', '--list']), {
      stdout: '',
      stderr: complaint('no turn can be undone here'),
    })
  })

  slowIt('covers only the project if the home folder is itself a repository', async () => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('../.git/HEAD', 'ref: refs/heads/main\n')
    server.reply(use(['bash', { command: 'echo 1 > in; echo 1 > ../out' }]), say('Made.'))
    await pipe(['--yolo', 'make'])
    expectRun(await pipe(['undo']), { stdout: 'undid: make\n  removed      in\n' })
    expect(existsSync(join(cwd, '../out'))).toBe(true)
  })

  slowIt('undoes an interrupted turn', async () => {
    const { start, put, cwd, server, shell, pipe } = await openWorld()
    await put('a.txt', 'one\n')
    await shell('mkfifo gate')
    server.reply(use(['bash', { command: 'echo two > a.txt; echo x > gate; sleep 60' }]))
    const running = start(['--yolo', 'change'])
    await shell('cat gate')
    process.kill(running.pid, 'SIGINT')
    expectRun(await running.ended, { code: 130, stdout: '' })
    expectRun(await pipe(['undo']), { stdout: 'undid: change\n  changed      a.txt\n' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
  })
})

quickDescribe('-o stream-json', () => {
  it('has a line for each checkpoint', async () => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', 'one\n')
    server.reply(use(['bash', { command: 'echo two > a.txt' }]), say('Done.'))
    const { stdout } = await pipe(['--yolo', '-o', 'stream-json', 'change'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ type }) => type === 'checkpoint')).toEqual(
      Array(2).fill({
        type: 'checkpoint',
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        notes: [],
        agent_id: expect.any(String),
        seq: expect.any(Number),
      }),
    )
  })
})

describe('/undo in the terminal UI', () => {
  /** Runs a turn that changes a file, then slows git down. */
  async function slow() {
    const world = await openWorld()
    await world.put('a.txt', 'one\n')
    const log = join(world.home, 'git-calls')
    const { PATH } = await withGit(world.env, `echo "$@" >> ${log}; [ -e ${world.home}/slow ] && sleep 0.1`)
    const bash = { type: 'tool_call', name: 'bash', arguments: { command: 'echo two > a.txt' } }
    const rounds = [
      { blocks: [bash] },
      ...['Done.', 'I see.'].map((text) => ({ blocks: [{ type: 'text', text }] })),
    ]
    const screen = await play(world, { columns: 80, rows: 24 }, rounds, `PATH='${PATH}' exec pipe --yolo`)
    screen.type('change\r')
    await screen.until(/Done\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    // The turn is saved while the prompt is shown: the files before it, and those after it.
    const count = 'git --git-dir=$(echo $PIPE_HOME/checkpoints/*.git) rev-list --count --all'
    await expect.poll(async () => (await world.shell(count)).stdout).toBe('2\n')
    writeFileSync(join(world.home, 'slow'), '')
    return { screen, read: () => readFileSync(join(world.cwd, 'a.txt'), 'utf8') }
  }

  // On a busy machine a turn takes longer to save than it may, so that there is nothing to undo.
  slowIt('is shown at once, and finishes before the program exits', async () => {
    const { screen, read } = await slow()
    screen.type('/undo\r')
    await screen.until(/› Sent once pipe is done undoing[^\n]*\n─+\n[⠀-⣿] undoing 0 s · Esc stops · bypass/)
    expect(read()).toBe('two\n')
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect(read()).toBe('one\n')
    expect(screen.history()).toMatch(/undid: change\n *changed +a\.txt\n[\s\S]*pipe: resume with: pipe -r/)
  })

  slowIt('leaves the file alone if stopped, and puts text typed meanwhile in the prompt', async () => {
    const { screen, read } = await slow()
    screen.type('/undo\r')
    await screen.until(/[⠀-⣿] undoing/)
    screen.type('go on\r')
    await screen.until(/↳ next: go on/)
    screen.type('and th')
    await screen.until(/↳ next: go on .*\n─+\n› and th/)
    screen.type('\u001b')
    await screen.until(/stopped: nothing was undone\n\n─+\n› go on\n {2}and th/)
    expect(read()).toBe('two\n')
  })

  slowIt('keeps a message queued until it is done', async () => {
    const { screen, read } = await slow()
    screen.type('/undo\r')
    await screen.until(/[⠀-⣿] undoing/)
    screen.type('what now?\r')
    await screen.until(/↳ next: what now\?/)
    await screen.until(/undid: change\n[\s\S]*▌ what now\?\n\n {2}I see\./)
    expect(read()).toBe('one\n')
  })

  it('undoes the changes, /redo redoes them, and both are reported to the model', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one\n')
    const read = () => readFileSync(join(world.cwd, 'a.txt'), 'utf8')
    const bash = { type: 'tool_call', name: 'bash', arguments: { command: 'echo two > a.txt' } }
    const rounds = [
      { blocks: [bash] },
      ...['Done.', 'I see.'].map((text) => ({ blocks: [{ type: 'text', text }] })),
    ]
    const screen = await play(world, { columns: 80, rows: 24 }, rounds, 'exec pipe --yolo')
    screen.type('change\r')
    await screen.until(/Done\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    screen.type('/undo\r')
    await screen.until(/undid: change\n *changed +a\.txt/)
    expect(read()).toBe('one\n')
    screen.type('/redo\r')
    await screen.until(/redid: change\n *changed +a\.txt/)
    expect(read()).toBe('two\n')
    screen.type('/redo\r')
    await screen.until(/there is nothing to redo in/)
    screen.type('what now?\r')
    await screen.until(/▌ what now\?\n\n {2}I see\./)
    const [session] = await world.sessions()
    expect(JSON.stringify(session?.messages.at(-2))).toMatch(/The user undid.*The user redid/)
  })
})
