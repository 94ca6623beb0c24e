import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../support/programs/world.ts'

interface Ran {
  readonly output: string
  readonly ok: boolean
  readonly isLate: boolean
}

/** Runs a line of the shell as a step of the check. */
async function step(line: string, seconds: number): Promise<Ran> {
  const source = `
    const { run } = await import(${JSON.stringify(join(root, 'scripts/run.js'))})
    console.log(JSON.stringify(await run(['sh', '-c', ${JSON.stringify(line)}], { seconds: ${seconds} })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source])
  return JSON.parse(stdout)
}

/** A file for a process id. */
async function pidFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-step-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'pid')
}

async function isAlive(file: string): Promise<boolean> {
  const state = await readFile(`/proc/${(await readFile(file, 'utf8')).trim()}/stat`, 'utf8').catch(
    () => 'x) Z',
  )
  return !/\) Z/.test(state)
}

describe.skipIf(process.platform !== 'linux')('a step of the check', () => {
  it('ends although a child that it left behind holds its output, and ends that child', async () => {
    const pid = await pidFile()
    expect(await step(`sleep 600 & echo $! > ${pid}; echo done`, 60)).toEqual({
      output: 'done\n',
      ok: true,
      isLate: false,
    })
    expect(await isAlive(pid)).toBe(false)
  })

  it('is ended at its limit, with all that it started', async () => {
    const pid = await pidFile()
    const { output, ok, isLate } = await step(
      `trap '' TERM; echo begun; sleep 600 & echo $! > ${pid}; wait`,
      1,
    )
    expect([output, ok, isLate]).toEqual(['begun\n\nsh -c was ended after 1 s\n', false, true])
    expect(await isAlive(pid)).toBe(false)
  })
})

it('the tests that still run are those that began and have not ended', async () => {
  const file = await pidFile()
  await writeFile(file, '+a.test.ts: one\n+a.test.ts: two\n-a.test.ts: one\n+b.test.ts: three\n')
  const source = `
    const { readRunning } = await import(${JSON.stringify(join(root, 'scripts/running-tests.js'))})
    console.log(readRunning(${JSON.stringify(file)}).join('|'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source])
  expect(stdout).toBe('a.test.ts: two|b.test.ts: three\n')
})
