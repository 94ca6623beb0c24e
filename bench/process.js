import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const oneFile = process.env.PIPE_BIN

/** The program that is measured: the one-file build that `PIPE_BIN` names, or the launcher of the package. */
export const program = oneFile ?? join(import.meta.dirname, '..', 'bin', 'pipe.js')

/** Returns the words that start Node with arguments, or the one-file build if it is the first of them. */
export function startWords(args) {
  return oneFile !== undefined && args[0] === oneFile ? args : [process.execPath, ...args]
}

/** Creates a home whose settings know one server in both its dialects, and the environment that points to it. */
export function makeHome(host, more = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
  const providers = {
    bench: { dialect: 'openai-chat', base_url: `${host}/v1`, api_key_env: 'BENCH_KEY' },
    anthropic: { dialect: 'anthropic', base_url: host, api_key_env: 'BENCH_KEY' },
  }
  mkdirSync(join(home, 'pipe'))
  writeFileSync(join(home, 'pipe', 'config.json'), JSON.stringify({ providers, ...more }))
  // Leaves out NODE_EXTRA_CA_CERTS, which costs every Node 20 process at least 50 ms.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PIPE_HOME: join(home, 'pipe'),
    BENCH_KEY: 'k',
    LANG: 'C.UTF-8',
  }
  return { home, env, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Runs a Node process that must succeed. Returns its wall time in milliseconds. */
export async function time(args, setup) {
  const [file, ...rest] = startWords(args)
  return (await run(file, rest, setup)).ms
}

/** Returns the CPU time of a Node process and its children in milliseconds. */
export async function timeCpu(args, setup) {
  const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', ...startWords(args)]
  const { errors } = await run('bash', timed, setup)
  const [user, system] = errors.trim().split('\n').at(-1).split(' ').map(Number)
  return (user + system) * 1_000
}

/** Runs a process that must succeed. Returns its wall time in milliseconds and its output. */
export function run(file, args, { home, env }) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint()
    const child = spawn(file, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      errors += piece
    })
    child.on('close', (code) => {
      if (code === 0) resolve({ ms: Number(process.hrtime.bigint() - started) / 1e6, output, errors })
      else reject(new Error(`${file} ${args.join(' ')} ended with ${code}: ${errors}`))
    })
  })
}

/** Returns the CPU seconds that a running process has used so far. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process in KiB. */
export function memoryOf({ pid }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Prints a figure with its target. A miss sets the exit code. */
export function judge(name, value, target, unit) {
  const met = value <= target
  if (!met) process.exitCode = 1
  console.log(`${name}: ${value.toFixed(2)}${unit} (target <= ${target}${unit})${met ? '' : '  MISSED'}`)
}
