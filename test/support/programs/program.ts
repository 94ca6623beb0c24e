import { type ChildProcess, spawn } from 'node:child_process'
import { expect } from 'vitest'

/** Exit and output of a process. */
export interface Run {
  /** The command line, as typed. */
  readonly command: string
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Start {
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** `open`: stdin is a pipe to which nothing is written. Default: `/dev/null`. */
  readonly input?: string | Uint8Array | 'open'
}

/** A process that may still run. */
export interface Running {
  readonly pid: number
  /** Its stdout so far. */
  readonly stdout: string
  /** Resolves when stdout matches; rejects if the process ends first. */
  until(pattern: RegExp): Promise<void>
  /** Resolves when stderr matches; rejects if the process ends first. */
  untilError(pattern: RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Resolves when the program or the pipe's buffer has taken the text. For an `open` stdin. */
  write(text: string): Promise<void>
  /** Ends an `open` stdin. */
  endInput(): void
  readonly ended: Promise<Run>
}

/** Kills a hanging process, so that its test fails with its output. */
const longestMs = 90_000

/** Starts a program in its own session, so it never has a controlling terminal. */
export function start(file: string, args: readonly string[], { cwd, env, input }: Start): Running {
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`cannot start ${file}`)
  // A program may exit before it has read everything.
  child.stdin?.on('error', () => undefined)
  if (input !== 'open') child.stdin?.end(input)
  const watch = watchOutput(child)
  const timer = setTimeout(() => killGroup(pid), longestMs)
  const command = [file, ...args].map(quote).join(' ')
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ command, code, signal, stdout: watch.stdout, stderr: watch.stderr })
    })
  })
  return {
    pid,
    get stdout() {
      return watch.stdout
    },
    until: (pattern) => watch.until('stdout', pattern, ended),
    untilError: (pattern) => watch.until('stderr', pattern, ended),
    kill: (signal) => child.kill(signal),
    write: (text) => new Promise((resolve) => child.stdin?.write(text, () => resolve())),
    endInput: () => child.stdin?.end(),
    ended,
  }
}

function watchOutput(child: ChildProcess) {
  const waiting = new Map<() => boolean, () => void>()
  const watch = {
    stdout: '',
    stderr: '',
    until: async (name: 'stdout' | 'stderr', pattern: RegExp, ended: Promise<Run>) => {
      const matches = () => pattern.test(watch[name])
      if (matches()) return
      const matched = new Promise<undefined>((resolve) => waiting.set(matches, () => resolve(undefined)))
      const run = await Promise.race([matched, ended])
      if (run !== undefined) throw new Error(`ended without ${pattern}\n${show(run)}`)
    },
  }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      watch[name] += text
      for (const [matches, wake] of waiting) if (matches()) wake()
    })
  return watch
}

/** Ends a process from `start` with all its children. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Compares a whole run; by default it succeeds with an empty stderr. A failure shows the command and its output. */
export function expectRun(
  run: Run,
  expected: {
    readonly code?: number | null
    readonly signal?: string
    readonly stdout: unknown
    readonly stderr?: unknown
  },
): void {
  const { code, signal, stdout, stderr } = run
  const whole = { code: 0, signal: null, stderr: '', ...expected }
  expect({ code, signal, stdout, stderr }, show(run)).toEqual(whole)
}

/** Matches a stderr of one line that contains these words. */
export function complaint(words: string | RegExp): unknown {
  const pattern = typeof words === 'string' ? words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : words.source
  return expect.stringMatching(new RegExp(`^pipe: (?=.*${pattern})[^\\n]*\\n$`))
}

/** Formats a run as text. */
function show({ command, code, signal, stdout, stderr }: Run): string {
  return `$ ${command}\nstatus: ${signal ?? code}\nstdout: ${stdout}\nstderr: ${stderr}`
}

function quote(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
