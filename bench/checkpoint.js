import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './module.js'
import { judge, median, run } from './process.js'

// Compares saving an unchanged tree of 2,000 files before a turn with `git status` in the same tree.

const rounds = 15

const { systemClock: clock } = await load('src/cli/system-clock.ts')
const { createCommandRunner } = await load('src/process/command-runner.ts')
const { Shadow } = await load('src/git/shadow.ts')
const { createCheckpoints } = await load('src/git/checkpoints/checkpoints.ts')
const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
const root = join(folder, 'project')
const state = join(folder, 'state')
const commands = createCommandRunner({ clock })

for (let i = 0; i < 2_000; i++) {
  const folder = join(root, `d${i % 40}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `f${i}.txt`), `file ${i}\n`.repeat(20))
}
const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
for (const args of [
  ['init', '-q'],
  ['add', '.'],
])
  execFileSync('git', args, { cwd: root, env })

const directory = join(state, 'checkpoints')
const machine = { searchPath: process.env.PATH, pid: process.pid, host: 'here' }
const shadow = new Shadow({ root, directory, cwd: root, keepOut: [state], commands, clock, ...machine })

/** Returns the milliseconds that one save takes. */
async function timeSave() {
  const checkpoints = createCheckpoints(shadow, { session: 'one' })
  const message = { type: 'user', id: 'one', content: [{ type: 'text', text: 'go' }], timestamp: '' }
  checkpoints.begin(message)
  const started = performance.now()
  await checkpoints.save({ signal })
  const ms = performance.now() - started
  await checkpoints.end()
  return ms
}

try {
  await timeSave()
  const times = { save: [], status: [] }
  for (let i = 0; i < rounds; i++) {
    times.save.push(await timeSave())
    times.status.push((await run('git', ['status', '--porcelain'], { home: root, env })).ms)
  }
  judge('checkpoint: an unchanged tree / git status', median(times.save) / median(times.status), 6, 'x')
} finally {
  await commands.close()
  rmSync(folder, { recursive: true })
}
