import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './module.js'
import { judge, median } from './process.js'

// Compares a command in the sandbox with the same command outside it.

const runs = 40
const folder = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
const { createCommandRunner } = await load('src/process/command-runner.ts')
const { openSandbox } = await load('src/sandbox/open-sandbox.ts')
const { protectedIn } = await load('src/cli/wiring/tools/command-sandbox.ts')
const { systemClock } = await load('src/cli/system-clock.ts')

const path = process.env.PATH ?? ''
const commands = createCommandRunner({ clock: systemClock })
const sandbox = openSandbox({
  commands,
  clock: systemClock,
  profile: {
    mode: 'workspace-write',
    network: false,
    writable: [folder],
    ...protectedIn('/none'),
    readOnly: [],
    hidden: [],
    visible: [],
    temp: join(folder, 'temp'),
  },
  platform: process.platform,
  arch: process.arch,
  path,
})

async function time(runner) {
  const line = {
    file: 'bash',
    args: ['--norc', '-c', ':'],
    cwd: folder,
    env: { PATH: path },
    timeoutMs: 10_000,
  }
  const from = performance.now()
  for await (const { chunk } of runner.run(line, { signal: new AbortController().signal })) {
    throw new Error(Buffer.from(chunk).toString())
  }
  return performance.now() - from
}

try {
  const state = await sandbox.check()
  if (state.works) {
    const times = { inside: [], outside: [] }
    for (let i = 0; i < runs; i++) {
      times.outside.push(await time(commands))
      times.inside.push(await time(sandbox.commands))
    }
    judge(
      'sandbox: a command minus the same command outside',
      median(times.inside) - median(times.outside),
      25,
      ' ms',
    )
  } else {
    console.log(`sandbox: not measured: ${state.reason}`)
  }
} finally {
  await commands.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
}
