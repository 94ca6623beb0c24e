import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/programs/world.ts'

/** Runs `bench/soak.js`. Returns whether each figure met its target; for a miss, the whole output. */
async function soak(...args: readonly string[]): Promise<Readonly<Record<string, true | string>>> {
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [join(root, 'bench/soak.js'), ...args], (_, out, err) => resolve(out + err))
  })
  const judged = [...said.matchAll(/^(.+): .+ \(target <= [^)]+\)(.*)$/gm)]
  return Object.fromEntries(judged.map(([, name, missed]) => [name, missed === '' || said]))
}

const done = {
  'soak: requests that a server would refuse': true,
  'soak: missing edits': true,
  'soak: exit code': true,
}

// Concurrent, because the idle test takes no CPU time from the other.
describe.skipIf(!existsSync('/proc/self/stat'))('the terminal UI', { concurrent: true }, () => {
  it('PROC-352: runs 2,000 calls in one conversation, and the last ones cost no more than the first', {
    timeout: 900_000,
  }, async () => {
    expect(await soak('--calls', '2000', '--idle', '0')).toEqual({
      'soak: resident memory at most': true,
      'soak: CPU per call, last quarter / first': true,
      'soak: bytes per call, last quarter / first': true,
      ...done,
    })
  })

  it('PROC-351: is idle while the user is', { timeout: 900_000 }, async () => {
    expect(await soak('--calls', '0', '--idle', '20')).toEqual({
      'idle: share of a core': true,
      'idle: wake-ups per second': true,
      'idle: resident memory after / before': true,
      ...done,
    })
  })
})
