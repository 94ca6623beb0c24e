import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { undoTurn } from '../../src/git/checkpoints/undo.ts'
import type { RunningCommand } from '../../src/machine/running-command.ts'
import { never, openProject, turn } from '../git/project.ts'
import { untilNoneRuns } from '../support/programs/processes.ts'
import { listen } from '../support/servers/listen.ts'
import { createSandboxedProject, hasBubblewrap, path } from './sandboxed-project.ts'

const git = { 'project/.git/config': 'mine', 'project/.git/hooks/sample': '' }

/** A program that prints `up` and waits for the end of its stdin. */
const waiting = (cwd: string) => ({
  file: 'sh',
  args: ['-c', 'echo up; cat'],
  cwd,
  env: { PATH: path },
})

/** Starts a server on this machine that sends `hello`. Returns its port. */
async function greet(): Promise<number> {
  const server = createServer((socket) => socket.end('hello'))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return listen(server)
}

describe.skipIf(!hasBubblewrap)('inside bubblewrap', () => {
  it('commands write to the project and to temporary files, which outlive them', async () => {
    const { bash, project, root } = await createSandboxedProject()
    const { exitCode, stdout } = await bash(
      'echo x > f && mkdir -p a/b && echo $TMPDIR && echo y > /tmp/kept',
    )
    expect([exitCode, stdout, await readFile(join(project, 'f'), 'utf8')]).toEqual([0, '/tmp\n', 'x\n'])
    expect((await bash('cat "$TMPDIR/kept"')).stdout).toBe('y\n')
    expect(await readFile(join(root, 'temp/kept'), 'utf8')).toBe('y\n')
  })

  it('SAND-203: commands write nowhere else', async () => {
    const { bash, root } = await createSandboxedProject({ 'other/g': 'untouched' })
    const { exitCode, stderr } = await bash('echo x > ../other/f; echo x > ../other/g; echo x > /usr/f')
    expect([exitCode, stderr.match(/Read-only file system/g)?.length]).toEqual([1, 3])
    expect(await readdir(join(root, 'other'))).toEqual(['g'])
    expect(await readFile(join(root, 'other/g'), 'utf8')).toBe('untouched')
  })

  it('SAND-204: /dev/null accepts all output', async () => {
    const { bash } = await createSandboxedProject()
    expect(await bash('echo x > /dev/null')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  it('SAND-205: files that git would run stay unchanged', async () => {
    const { bash, project } = await createSandboxedProject(git)
    const { exitCode } = await bash('echo x > .git/config || echo x > .git/hooks/pre-commit || rm -rf .git')
    expect(exitCode).toBe(1)
    expect(await readFile(join(project, '.git/config'), 'utf8')).toBe('mine')
    expect(await readdir(join(project, '.git/hooks'))).toEqual(['sample'])
  })

  it('missing protected paths cannot be created, and leave no trace', async () => {
    const { bash, project, close } = await createSandboxedProject()
    const made = await bash(
      'for n in .git .pipe; do mkdir -p $n/hooks; echo x > $n/config.json; done; echo x > .npmrc; echo x > .bashrc; ' +
        'rm -rf .git .pipe .npmrc .bashrc; mv .pipe p; ln -s /etc .pipe; ls .git .pipe; cat .npmrc',
    )
    expect([made.exitCode, made.stdout]).toEqual([0, '.git:\n\n.pipe:\n'])
    await close()
    expect(await readdir(project)).toEqual([])
  })

  it('placeholders stay until the last command has ended', async () => {
    const { bash, sandbox, project } = await createSandboxedProject()
    const running = await sandbox.commands.start(waiting(project), { stdin: 'open' })
    await bash('true')
    expect((await readdir(project)).sort()).toEqual(['.bashrc', '.git', '.npmrc', '.pipe', '.pipe-claims'])
    running.write('')
    for await (const _ of running.output(new AbortController().signal));
    running.release()
    await sandbox.close()
    expect(await readdir(project)).toEqual([])
  })

  it('an undo in between removes no placeholder', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const { sandbox } = await createSandboxedProject({}, { writable: [root] })
    const session = checkpoints()
    let running: RunningCommand | undefined
    await turn(session, 'in the background', async () => {
      run('echo 2 > a')
      running = await sandbox.commands.start(waiting(root), { stdin: 'open' })
    })
    const names = async () => (await readdir(root, { recursive: true })).sort()
    const before = await names()
    expect(before).toContain('.npmrc')
    const all = { changed: ['a'], removed: [], broughtBack: [] }
    expect(await undoTurn(shadow, { signal: never() })).toMatchObject(all)
    expect(await names()).toEqual(before)
    running?.release()
    await sandbox.close()
    expect(await names()).toEqual(['a'])
  })

  it("a user's file in place of the claims causes no error", async () => {
    const { sandbox, project } = await createSandboxedProject()
    const running = await sandbox.commands.start(waiting(project), { stdin: 'open' })
    // Wait for output: until the command runs, bubblewrap creates the folder that it mounts on.
    await running.output(new AbortController().signal).next()
    await rm(join(project, '.pipe-claims'), { recursive: true })
    await writeFile(join(project, '.pipe-claims'), 'mine')
    running.release()
    await sandbox.close()
    expect(await readFile(join(project, '.pipe-claims'), 'utf8')).toBe('mine')
  })

  it("a user's files in place of placeholders stay", async () => {
    const { sandbox, project } = await createSandboxedProject()
    const running = await sandbox.commands.start(waiting(project), { stdin: 'open' })
    await running.output(new AbortController().signal).next()
    await writeFile(join(project, '.npmrc'), 'mine')
    await writeFile(join(project, '.pipe/config.json'), '{}')
    running.release()
    await sandbox.close()
    expect((await readdir(project)).sort()).toEqual(['.npmrc', '.pipe'])
  })

  it('SAND-207: neither a link at a protected name nor its target can be changed', async () => {
    const { bash, project } = await createSandboxedProject({
      'project/a/decoy/old.json': '{}',
      'project/src/x': '',
    })
    await symlink('a/decoy', join(project, '.pipe'))
    const tries = [
      'echo x > .pipe/settings.json',
      'echo x > a/decoy/settings.json',
      'echo x > .pipe/old.json',
      'rm .pipe && mkdir .pipe && echo x > .pipe/settings.json',
      'mv a b && mkdir -p a/decoy && echo x > a/decoy/settings.json',
      'ln -sfn src .pipe',
    ]
    for (const line of tries) expect([line, (await bash(line)).exitCode]).toEqual([line, 1])
    expect((await bash('echo y > src/x && echo y > a/f')).exitCode).toBe(0)
    expect(await readdir(join(project, '.pipe'))).toEqual(['old.json'])
    expect(await readFile(join(project, '.pipe/old.json'), 'utf8')).toBe('{}')
  })

  it('SAND-207: a dangling link at a protected name cannot be used either', async () => {
    const { bash, project } = await createSandboxedProject({ 'project/a/x': '' })
    await symlink('a/later/deep', join(project, '.pipe'))
    expect((await bash('mkdir -p a/later/deep && echo x > a/later/deep/settings.json')).exitCode).toBe(1)
    expect(await readdir(join(project, 'a/later')).catch(() => [])).toEqual([])
  })

  it('SAND-208: a protected folder cannot be renamed', async () => {
    const { bash, project, close } = await createSandboxedProject(git)
    const { exitCode } = await bash('mv .git .g2; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit')
    expect(exitCode).toBe(1)
    await close()
    expect(await readdir(project)).toEqual(['.git'])
    expect(await readdir(join(project, '.git/hooks'))).toEqual(['sample'])
  })

  it('the repository of a work tree is protected where it lies', async () => {
    const { bash, project } = await createSandboxedProject({
      'project/repo/HEAD': '',
      'project/repo/worktrees/w/HEAD': '',
      'project/repo/worktrees/w/commondir': '../..\n',
      'project/repo/config': 'mine',
      'project/tree/f': '',
      'project/.git': 'gitdir: repo/worktrees/w\n',
    })
    const line = 'echo x > repo/config || echo x > repo/worktrees/w/f || echo x > .git || mv repo r'
    expect((await bash(line)).exitCode).toBe(1)
    expect(await readFile(join(project, 'repo/config'), 'utf8')).toBe('mine')
  })

  it('SAND-209: commands reach no host, neither by name nor on this machine', async () => {
    const { bash } = await createSandboxedProject()
    const port = await greet()
    const tries = [
      `curl -sS -m 5 http://127.0.0.1:${port}`,
      `wget -q -T 5 -t 1 -O - http://127.0.0.1:${port}`,
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      'getent ahosts example.com',
      'ping -c1 -W1 127.0.0.2',
      'exec 3<>/dev/udp/192.0.2.1/53',
    ]
    const script = tries.map((line) => `(${line}) >&2; echo $?`).join('; ')
    const { stdout } = await bash(script)
    expect(stdout.trim().split('\n')).toHaveLength(tries.length)
    expect(stdout.trim().split('\n')).not.toContain('0')
  })

  it('commands reach the network if it is allowed', async () => {
    const { bash } = await createSandboxedProject({}, { network: true })
    const port = await greet()
    expect((await bash(`cat < /dev/tcp/127.0.0.1/${port}`)).stdout).toBe('hello')
  })

  it('SAND-211: commands gain no privileges', async () => {
    const { bash } = await createSandboxedProject(git)
    expect((await bash('grep -E "NoNewPrivs|CapEff|CapBnd" /proc/self/status')).stdout).toBe(
      'CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n',
    )
    const { exitCode } = await bash(
      'unshare -Urm sh -c "umount .git; mount -o remount,bind,rw .git; echo x > .git/x"',
    )
    expect(exitCode).not.toBe(0)
  })

  it('commands change no kernel settings, even as root', async () => {
    const { bash } = await createSandboxedProject()
    const { stdout } = await bash(
      "find /proc /sys -not -path '/proc/[0-9]*' -not -path '/proc/*self/*' -type f -writable 2>/dev/null | grep -v ^/proc/pressure/",
    )
    expect(stdout).toBe('')
  })

  it('SAND-213: commands see only their own processes', async () => {
    const { bash } = await createSandboxedProject()
    const { stdout } = await bash(`ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} && echo seen`)
    expect(Number(stdout)).toBeLessThan(8)
  })

  it('sockets of services are out of sight', async () => {
    const { bash } = await createSandboxedProject()
    expect(
      (await bash('ls -A /run | grep -v -e ^current-system$ -e ^systemd$ -e ^NetworkManager$')).stdout,
    ).toBe('')
  })

  it('ending a command from outside leaves no process', async () => {
    const { sandbox, project } = await createSandboxedProject()
    const marker = `300.${process.pid}`
    const program = {
      file: 'bash',
      args: ['-c', `trap '' TERM; setsid sleep ${marker} & sleep ${marker} & echo up; wait`],
      cwd: project,
      env: { PATH: path },
    }
    const running = await sandbox.commands.start(program)
    const output = running.output(new AbortController().signal)
    await output.next()
    await running.end()
    expect(await output.next()).toMatchObject({ done: true, value: { exitCode: null, signal: 'SIGTERM' } })
    await untilNoneRuns(marker)
  })

  it('a hidden file cannot be read', async () => {
    const { bash, root } = await createSandboxedProject({ 'secret.json': 'sk-1', 'open.json': 'open' })
    expect((await bash('cat ../open.json ../secret.json')).stdout).toBe('opensk-1')
    const hidden = await createSandboxedProject(
      { 'secret.json': 'sk-1' },
      { hidden: [join(root, 'secret.json')] },
    )
    expect((await hidden.bash(`cat ${root}/secret.json`)).stdout).toBe('')
  })

  it('a hidden folder and its contents cannot be read under any name, unless it holds a working folder', async () => {
    const { root } = await createSandboxedProject({ 'keys/id': 'sk-1', 'keys/deep/id': 'sk-2' })
    const hidden = await createSandboxedProject({}, { hidden: [join(root, 'keys')] })
    const { project, bash } = hidden
    await symlink(join(root, 'keys'), join(project, 'link'))
    const tries = [`cat ${root}/keys/id`, `ls ${root}/keys/deep`, 'cat link/id', `echo x > ${root}/keys/id`]
    for (const line of tries) expect([line, (await bash(line)).exitCode !== 0]).toEqual([line, true])
    const above = await createSandboxedProject({ 'project/f': 'mine' })
    const seen = await createSandboxedProject({}, { writable: [above.project], hidden: [above.root] })
    expect((await seen.bash(`cat ${above.project}/f`)).stdout).toBe('mine')
  })

  it('in read-only mode, commands write only temporary files', async () => {
    const { bash, project } = await createSandboxedProject({ 'project/f': 'mine' }, { mode: 'read-only' })
    const { exitCode, stderr } = await bash('echo x > /tmp/t && cat f && echo x > f')
    expect([exitCode, stderr]).toEqual([1, 'bash: line 1: f: Read-only file system\n'])
    expect(await readFile(join(project, 'f'), 'utf8')).toBe('mine')
    expect(await readdir(project)).toEqual(['f'])
  })

  it('a path protected on its own stays unchanged, and so do its parent folders', async () => {
    const { project } = await createSandboxedProject({ 'project/.config/pipe/config.json': '{}' })
    const settings = join(project, '.config/pipe')
    const { bash } = await createSandboxedProject({}, { writable: [project], protectedFolders: [settings] })
    const tries = [
      'echo x > .config/pipe/config.json',
      'mv .config c && mkdir -p .config/pipe && echo x > .config/pipe/config.json',
    ]
    for (const line of tries)
      expect([line, (await bash(`cd ${project}; ${line}`)).exitCode]).toEqual([line, 1])
    expect((await bash(`echo x > ${project}/.config/other`)).exitCode).toBe(0)
    expect(await readdir(settings)).toEqual(['config.json'])
    expect(await readFile(join(settings, 'config.json'), 'utf8')).toBe('{}')
  })

  it('a missing working folder is an error of the program, as outside', async () => {
    const { sandbox } = await createSandboxedProject()
    const program = { file: 'true', args: [], cwd: '/no/such/folder', env: { PATH: path } }
    await expect(sandbox.commands.start(program)).rejects.toMatchObject({
      code: 'tool',
      details: { reason: 'ENOENT' },
    })
  })
})
