import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll } from 'vitest'

/** A program that runs, and the lines that it prints. */
export interface RunningProgram {
  readonly child: ChildProcess
  readonly lines: AsyncIterable<string>
}

/**
 * Bundles a program of the calling file's tests, and removes the bundle after them. Returns a function that runs it with arguments, as
 * bash reads them, after a line of bash. What still runs after a test is killed.
 */
export function bundledProgram(entry: string): (args: string, before?: string) => RunningProgram {
  let folder: string
  const children: ChildProcess[] = []
  const outfile = () => join(folder, 'program.mjs')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pipe-program-'))
    await build({
      entryPoints: [entry],
      outfile: outfile(),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['*.md'],
    })
  })
  afterAll(() => rm(folder, { recursive: true }))
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL')
      await ended(child)
    }
  })
  return (args, before = '') => {
    const command = `${before} exec "${process.execPath}" "${outfile()}" ${args}`
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    return { child, lines: createInterface({ input: child.stdout }) }
  }
}

/** Waits for the end of a process. */
export function ended(child: ChildProcess): Promise<unknown> {
  const over = child.exitCode !== null || child.signalCode !== null
  return over ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve))
}
