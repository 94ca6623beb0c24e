import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'

/** The output of a program started by this line of bash, in which `"$@"` runs it. */
async function outcome(line: string, contents: string): Promise<string> {
  const outfile = join(await folderWith(), 'program.mjs')
  const stdin = { contents, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' } as const
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile })
  const program = spawn('bash', ['-c', line, 'bash', process.execPath, outfile])
  let said = ''
  for await (const chunk of program.stdout) said += String(chunk)
  return said
}

it('ends a group even without a free descriptor to inspect processes', async () => {
  const contents = `
    import { spawn } from 'node:child_process'
    import { openSync } from 'node:fs'
    import { systemClock } from './src/cli/system-clock.ts'
    import { endGroup, isGroupAlive } from './src/process/group.ts'
    const { pid, stdout } = spawn('bash', ['-c', "trap '' TERM; echo; sleep 600; sleep 600"], { detached: true })
    stdout.once('data', async () => {
      try {
        for (;;) openSync('/dev/null')
      } catch {}
      const outcome = await endGroup(pid, systemClock).then(() => 'ended', String)
      while (outcome === 'ended' && isGroupAlive(pid)) await systemClock.sleep(5, AbortSignal.timeout(60_000))
      if (isGroupAlive(pid)) process.kill(-pid, 'SIGKILL')
      process.stdout.write(outcome, () => process.exit())
    })`
  expect(await outcome('ulimit -n 64; exec "$@"', contents)).toBe('ended')
})

it('does not mistake a later group for one left behind with the same number', async ({ skip }) => {
  const contents = `
    import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    import { systemClock } from './src/cli/system-clock.ts'
    import { createCommandRunner } from './src/process/command-runner.ts'
    import { isGroupAlive } from './src/process/group.ts'
    const runner = createCommandRunner({ clock: systemClock })
    const program = { file: 'bash', args: ['-c', 'sleep 600 > /dev/null 2>&1 & echo $$ $!'], cwd: '/', env: process.env }
    let said = ''
    for await (const { chunk } of runner.run({ ...program, timeoutMs: 60_000 }, { signal: AbortSignal.timeout(60_000) })) {
      said += chunk
    }
    const [group, left] = said.split(' ').map(Number)
    process.kill(left, 'SIGKILL')
    while (isGroupAlive(group)) await systemClock.sleep(5, AbortSignal.timeout(60_000))
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(group - 1))
    const later = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    const ended = new Promise((resolve) => later.once('exit', () => resolve('ended')))
    await runner.close()
    const lives = systemClock.sleep(300, AbortSignal.timeout(60_000)).then(() => 'lives')
    console.log(later.pid === group, await Promise.race([ended, lives]))
    process.exit()`
  // The first process of a namespace has to reap orphans: a shell does.
  const line = `exec unshare --pid --fork --mount-proc --kill-child bash -c '"$@"; true' "$0" "$@"`
  const said = await outcome(line, contents)
  if (said === '') skip('numbers of processes may not be chosen here')
  expect(said).toBe('true lives\n')
})
