import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, run } from './process.js'

// Compares a tool call inside a run with a bare program that does the same.

const rounds = 9
const runs = 3
const line = 'const answer = "how long it takes to find one line of many and to change it"\n'

/** Returns the milliseconds of each call, as reported by the program. Leaves out the first, which loads the tool. */
async function timeCalls(callOf, prepare = () => undefined) {
  const server = await startModelServer({ rounds, callOf })
  const setup = makeHome(server.host)
  const times = []
  try {
    for (let i = 0; i < runs; i++) {
      prepare(setup.home)
      const args = [program, '--yolo', '--no-session', '-o', 'stream-json', '-m', 'bench/m', 'go']
      const { output } = await run(process.execPath, args, setup)
      const ends = output
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text))
        .filter(({ type }) => type === 'tool_end')
      const failed = ends.find(({ is_error }) => is_error)
      if (failed !== undefined) throw new Error(JSON.stringify(failed.content))
      times.push(...ends.slice(1).map(({ duration_ms }) => duration_ms))
    }
    return median(times)
  } finally {
    server.close()
    setup.remove()
  }
}

/** Returns the program's peak memory in megabytes after a command has written `bytes`. A second command records the peak. */
async function floodPeak(bytes) {
  const commands = [`yes | head -c ${bytes}`, 'grep VmHWM /proc/$PPID/status > peak']
  const callOf = (round) => ({ name: 'bash', args: { command: commands[round] } })
  const server = await startModelServer({ rounds: commands.length, callOf })
  const setup = makeHome(server.host)
  try {
    await run(process.execPath, [program, '--yolo', '--no-session', '-m', 'bench/m', 'go'], setup)
    return Number(/(\d+) kB/.exec(readFileSync(join(setup.home, 'peak'), 'utf8'))[1]) / 1024
  } finally {
    server.close()
    setup.remove()
  }
}

async function timeBare(file, args, cwd) {
  const times = []
  for (let i = 0; i < runs * rounds; i++) {
    const { ms } = await run(file, args, { home: cwd, env: { PATH: process.env.PATH } })
    times.push(ms)
  }
  return median(times)
}

function findRipgrep() {
  try {
    return createRequire(import.meta.url)('@vscode/ripgrep').rgPath
  } catch {
    return undefined
  }
}

const tree = join(import.meta.dirname, '..')

const bash = await timeCalls(() => ({ name: 'bash', args: { command: 'echo hi' } }))
const bareBash = await timeBare('bash', ['-c', 'echo hi'], tree)
judge('tools: bash minus a bare spawn', bash - bareBash, 5, ' ms')

const ripgrep = findRipgrep()
if (ripgrep !== undefined && existsSync(ripgrep)) {
  const pattern = 'createContext'
  const link = (home) => {
    if (!existsSync(join(home, 'tree'))) symlinkSync(join(tree, 'node_modules'), join(home, 'tree'))
  }
  const args = { pattern, path: 'tree/', output: 'files' }
  const grep = await timeCalls(() => ({ name: 'grep', args }), link)
  const bare = ['--no-config', '--hidden', '--sort', 'path', '-l', '-e', pattern, './node_modules/']
  const rg = await timeBare(ripgrep, bare, tree)
  console.log(`tools: grep over node_modules ${grep.toFixed(0)} ms, bare rg ${rg.toFixed(0)} ms`)
  judge('tools: grep / bare rg', grep / rg, 1.5, 'x')
}

const big = (home) => writeFileSync(join(home, 'big.ts'), `${line.repeat(68_000)}let last = 0\n`)
const change = (round) => {
  if (round === 0) return { name: 'read', args: { path: 'big.ts', limit: 5 } }
  return {
    name: 'edit',
    args: { path: 'big.ts', old_text: `let last = ${round - 1}`, new_text: `let last = ${round}` },
  }
}
judge('tools: an edit in a file of 5 MB', await timeCalls(change, big), 150, ' ms')
judge('tools: resident memory through 2 GB of output', await floodPeak(2_000_000_000), 250, ' MB')
