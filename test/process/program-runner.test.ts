import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { ProgramOptions } from '../../src/machine/program-runner.ts'
import { createProgramRunner } from '../../src/process/program-runner.ts'
import { untilGone } from '../support/programs/processes.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'
const sh = (script: string, env: Record<string, string> = { PATH }) => ({
  file: 'sh',
  args: ['-c', script],
  cwd: tmpdir(),
  env,
})
const runner = createProgramRunner({ clock: systemClock, projectFolders: [] })
const limits = (options: Partial<ProgramOptions> = {}): ProgramOptions => ({
  signal: new AbortController().signal,
  timeoutMs: 120_000,
  maxBytes: 1_000_000,
  ...options,
})

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-programs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A folder with a `tool` that prints where it came from. */
async function openBin(): Promise<string> {
  const bin = await openFolder()
  await writeFile(join(bin, 'tool'), `#!/bin/sh\necho from ${bin}\n`)
  await chmod(join(bin, 'tool'), 0o755)
  return bin
}

describe('a program that ends', () => {
  it('returns its output and exit code, also of a failure', async () => {
    const result = await runner.run(sh('echo out; echo err >&2; exit 3'), limits())
    expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' })
  })

  it('has no exit code if a signal ended it', async () => {
    expect(await runner.run(sh('kill -KILL $$'), limits())).toMatchObject({ exitCode: null })
  })

  it('reads the input, and an empty stdin without one', async () => {
    expect(await runner.run(sh('cat'), limits({ input: 'line\n' }))).toMatchObject({ stdout: 'line\n' })
    expect(await runner.run(sh('cat'), limits())).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('does not have to read its input', async () => {
    const input = 'x'.repeat(1_000_000)
    expect(await runner.run(sh('exec true'), limits({ input }))).toMatchObject({ exitCode: 0 })
  })

  it('leaves a child running that keeps the output open', async () => {
    const { exitCode, stdout } = await runner.run(sh('sleep 1000 & echo $!'), limits())
    expect(exitCode).toBe(0)
    expect(process.kill(Number(stdout))).toBe(true)
  })

  it('gets only the environment it is given', async () => {
    const { stdout } = await runner.run({ ...sh(''), file: 'env', args: [] }, limits())
    expect(stdout).toBe(`PATH=${PATH}\n`)
  })
})

describe('a limit', () => {
  it('ends a program after its time', async () => {
    const folder = await openFolder()
    const running = runner.run(sh(`echo $$ > ${folder}/pid; exec sleep 1000`), limits({ timeoutMs: 1_000 }))
    await expect(running).rejects.toMatchObject({ code: 'tool', message: 'sh did not end within 1000 ms' })
    const pid = await readFile(join(folder, 'pid'), 'utf8').catch(() => undefined)
    if (pid !== undefined) await untilGone(Number(pid))
  })

  it('holds although a child keeps the output open', async () => {
    const folder = await openFolder()
    const script = `sleep 1000 & echo $! > ${folder}/pid; wait`
    await expect(runner.run(sh(script), limits({ timeoutMs: 1_000 }))).rejects.toMatchObject({ code: 'tool' })
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')))
  })

  it('ends a program that writes too much', async () => {
    const running = runner.run(sh('yes'), limits({ maxBytes: 1_000 }))
    await expect(running).rejects.toMatchObject({ code: 'tool', message: 'sh wrote more than 1000 bytes' })
  })

  it('counts bytes, not characters', async () => {
    expect(await runner.run(sh("printf 'ééé'"), limits({ maxBytes: 6 }))).toMatchObject({ stdout: 'ééé' })
    await expect(runner.run(sh("printf 'ééé'"), limits({ maxBytes: 5 }))).rejects.toMatchObject({
      code: 'tool',
    })
  })
})

describe('the signal', () => {
  it('ends the program', async () => {
    const folder = await openFolder()
    const stop = new AbortController()
    const script = `echo $$ > ${folder}/new; mv ${folder}/new ${folder}/pid; exec sleep 1000`
    const running = runner.run(sh(script), limits({ signal: stop.signal }))
    await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true)
    stop.abort()
    await expect(running).rejects.toMatchObject({ code: 'aborted' })
    await untilGone(Number(await readFile(join(folder, 'pid'), 'utf8')))
  })

  it('starts nothing once it has fired', async () => {
    const folder = await openFolder()
    const running = runner.run(sh(`touch ${folder}/made`), limits({ signal: AbortSignal.abort() }))
    await expect(running).rejects.toMatchObject({ code: 'aborted' })
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })
})

describe('the lookup', () => {
  it('throws for a program that is not there', async () => {
    const failure = { code: 'tool', details: { reason: 'ENOENT' } }
    await expect(runner.run({ ...sh(''), file: 'no-such' }, limits())).rejects.toMatchObject(failure)
    await expect(runner.run({ ...sh(''), file: '/no/such' }, limits())).rejects.toMatchObject(failure)
    await expect(runner.run({ ...sh('true'), cwd: '/no/such' }, limits())).rejects.toMatchObject(failure)
  })

  it('skips relative entries of PATH and the folders of the project', async () => {
    const [project, bin] = [await openBin(), await openBin()]
    const careful = createProgramRunner({ clock: systemClock, projectFolders: [project] })
    const tool = { file: 'tool', args: [], cwd: project, env: { PATH: `.::${project}:${bin}` } }
    expect(await careful.run(tool, limits())).toMatchObject({ stdout: `from ${bin}\n` })
  })
})
