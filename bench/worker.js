import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge, makeHome, median, program, run, time } from './process.js'

// Measures how soon a waiting worker starts a task: from the event of `pipe task add` to that of the worker. In files, and in the
// PostgreSQL of PIPE_DATABASE_URL if that is set. A bare `node -e 0` in turn shows how fast the machine is now.

const count = 40
const script = { version: 1, rounds: [{ blocks: [{ type: 'text', text: 'Done.' }] }] }

function openProject(more) {
  const setup = makeHome('http://127.0.0.1:1')
  const cwd = join(setup.home, 'project')
  mkdirSync(cwd)
  writeFileSync(join(setup.home, 'script.json'), JSON.stringify(script))
  const env = { ...setup.env, ...more }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b', ...args], { cwd, env })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  return { ...setup, home: cwd, env }
}

async function measure(more) {
  const setup = openProject(more)
  const pipe = async (...args) => (await run(process.execPath, [program, ...args], setup)).output.trim()
  await pipe('trust', 'add')
  const worker = spawn(process.execPath, [program, 'worker', '-m', 'replay/../script.json'], {
    cwd: setup.home,
    env: setup.env,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const [latencies, bare] = [[], []]
  try {
    for (let i = 0; i <= count; i++) {
      const id = await pipe('task', 'add', 'say it')
      await pipe('task', 'wait', id)
      const [created, started] = (await pipe('task', 'log', id, '--json'))
        .split('\n')
        .map((line) => JSON.parse(line))
      // The first one waits for the worker's own start.
      if (i > 0) latencies.push(Date.parse(started.created_at) - Date.parse(created.created_at))
      if (i % 4 === 0) bare.push(await time(['-e', '0'], setup))
    }
  } finally {
    worker.kill('SIGTERM')
    await new Promise((resolve) => worker.once('exit', resolve))
    setup.remove()
  }
  return { latencies: latencies.sort((a, b) => a - b), bare: median(bare) }
}

function report(name, { latencies, bare }, target) {
  const p95 = latencies[Math.floor(latencies.length * 0.95)]
  console.log(`worker: ${name}, median: ${median(latencies)} ms; a bare node starts in ${bare.toFixed(0)} ms`)
  judge(`worker: ${name}, from added to started, 95 % within`, p95, target, ' ms')
}

report('files', await measure({}), 150)
const url = process.env.PIPE_DATABASE_URL
if (url !== undefined) report('PostgreSQL', await measure({ PIPE_DATABASE_URL: url }), 50)
