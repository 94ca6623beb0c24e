import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { killGroup, type Running, start } from '../support/programs/program.ts'
import { createSandboxedProject, hasBubblewrap, path } from './sandboxed-project.ts'

/** A process that runs a line of bash several times in its own sandbox around its folder, and prints the output. */
const source = `
  import { systemClock as clock } from './src/cli/system-clock.ts'
  import { createCommandRunner } from './src/process/command-runner.ts'
  import { openSandbox } from './src/sandbox/open-sandbox.ts'
  const [script, times, temp] = process.argv.slice(2)
  const [path, cwd] = [process.env.PATH, process.cwd()]
  const commands = createCommandRunner({ clock })
  const profile = {
    mode: 'workspace-write', network: false, writable: [cwd], protectedNames: ['.git', '.pipe', '.npmrc', '.bashrc'],
    protectedFolders: ['.git', '.pipe'], protectedFiles: ['.npmrc', '.bashrc'], readOnly: [], hidden: [], temp, visible: [],
  }
  const sandbox = openSandbox({ commands, clock, profile, platform: 'linux', arch: process.arch, path })
  const line = { file: 'bash', args: ['--norc', '-c', script], cwd, env: { PATH: path }, timeoutMs: 120_000 }
  for (let i = 0; i < Number(times); i++) {
    for await (const { chunk } of sandbox.commands.run(line, { signal: new AbortController().signal }))
      process.stdout.write(chunk)
  }
  await commands.close()
  await sandbox.close()`

/** Tries to create protected files until a file `stop` exists. */
const attack =
  'echo up; until [ -e stop ]; do mkdir -p .pipe .git/hooks; echo x > .pipe/config.json; echo x > .git/hooks/pre-commit; ' +
  'echo x > .npmrc; rmdir .pipe-claims/*; rm -r .git .npmrc .pipe-claims; mv .pipe p; done 2> /dev/null'

describe.skipIf(!hasBubblewrap)('several processes in one folder', () => {
  let program = ''
  beforeAll(async () => {
    program = join(await folderWithProgram(), 'neighbour.mjs')
    return () => rm(join(program, '..'), { recursive: true })
  })

  /** Creates a folder, and returns how to run lines in sandboxes around it. */
  async function neighbourhood() {
    const root = await folderWith({ 'project/mine': '' })
    const project = join(root, 'project')
    let count = 0
    return {
      names: async () => (await readdir(project, { recursive: true })).sort(),
      stop: () => writeFile(join(project, 'stop'), ''),
      run: (script: string, times = 1): Running => {
        count += 1
        const args = [program, script, String(times), join(root, `temp${count}`)]
        const running = start(process.execPath, args, { cwd: project, env: { PATH: path } })
        onTestFinished(() => killGroup(running.pid))
        return running
      },
    }
  }

  it.each(['ends', 'is killed'])('protected paths stay unchanged when an earlier process %s', async (how) => {
    const { run, stop, names } = await neighbourhood()
    const first = run('echo up; until [ -e stop1 ]; do sleep 0.01; done')
    await first.until(/up/)
    const second = run(attack)
    await second.until(/up/)
    const third = run(how === 'ends' ? 'touch stop1' : 'true')
    await third.ended
    if (how !== 'ends') first.kill('SIGKILL')
    await first.ended
    const late = run('sleep 4; echo x > .npmrc')
    await late.ended
    expect((await names()).filter((name) => !/^(\.pipe-claims|stop)/.test(name))).toEqual([
      '.bashrc',
      '.git',
      '.npmrc',
      '.pipe',
      'mine',
    ])
    await stop()
    await second.ended
    await expect.poll(names).toEqual(how === 'ends' ? ['mine', 'stop', 'stop1'] : ['mine', 'stop'])
  })

  it('protected paths stay unchanged while others come and go', async () => {
    const { run, stop, names } = await neighbourhood()
    const others = [1, 2, 3].map(() => run('true', 25))
    const attackers = [run(attack), run(attack)]
    for (const attacker of attackers) await attacker.until(/up/)
    const ended = await Promise.all(others.map((other) => other.ended))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ])
    await stop()
    for (const attacker of attackers) await attacker.ended
    expect(await names()).toEqual(['mine', 'stop'])
  })

  it('processes killed together leave nothing behind', async () => {
    const { run, names } = await neighbourhood()
    const all = [run(attack), run(attack)]
    for (const one of all) await one.until(/up/)
    for (const one of all) one.kill('SIGKILL')
    await expect.poll(names).toEqual(['mine'])
  })
})

describe.skipIf(!hasBubblewrap)('a command that outlives its shell', () => {
  it('finds nothing unprotected while it is ended', async () => {
    const { bash, project, close } = await createSandboxedProject()
    for (let i = 0; i < 10; i++) {
      await bash(`(${attack.replace('echo up; ', '')}) > /dev/null 2>&1 & sleep 0.02`)
    }
    await close()
    expect(await readdir(project)).toEqual([])
  })

  it.each(['ends', 'is killed'])(
    'when a process %s, placeholders of another container stay while it lives',
    async (how) => {
      const root = await folderWith({ 'project/mine': '' })
      const project = join(root, 'project')
      const claim = join(project, '.pipe-claims/999999999-99-0badb007-4026500000-abcdef')
      await mkdir(claim, { recursive: true })
      const program = join(await folderWithProgram(), 'neighbour.mjs')
      onTestFinished(() => rm(join(program, '..'), { recursive: true }))
      const names = async () => (await readdir(project)).sort()
      const runOnce = async () => {
        const args = [program, 'echo up; sleep 0.5', '1', join(root, 'temp')]
        const running = start(process.execPath, args, { cwd: project, env: { PATH: path } })
        await running.until(/up/)
        if (how === 'is killed') running.kill('SIGKILL')
        await running.ended
      }
      await runOnce()
      // A watchdog may still be at work.
      await expect
        .poll(() => readdir(join(project, '.pipe-claims')))
        .toEqual(['999999999-99-0badb007-4026500000-abcdef'])
      expect(await names()).toEqual(['.bashrc', '.git', '.npmrc', '.pipe', '.pipe-claims', 'mine'])
      const long = Date.now() / 1_000 - 660
      await utimes(claim, long, long)
      if (how === 'ends') {
        await runOnce()
        expect(await names()).toEqual(['mine'])
      }
    },
  )

  it('a file in place of the claims folder is an error', async () => {
    const { bash, project } = await createSandboxedProject({ 'project/.pipe-claims': '' })
    await expect(bash('true')).rejects.toMatchObject({
      code: 'sandbox',
      message: expect.stringContaining(project),
    })
  })
})

async function folderWithProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-neighbour-'))
  const stdin = { contents: source, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' } as const
  await build({
    stdin,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'neighbour.mjs'),
  })
  return folder
}
