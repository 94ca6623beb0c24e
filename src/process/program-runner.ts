import { isAbsolute } from 'node:path'
import { execa } from 'execa'
import type { Clock } from '../clock.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import type { ProgramOptions, ProgramResult, ProgramRunner } from '../machine/program-runner.ts'
import type { ProgramCall } from '../machine/running-command.ts'
import { findProgram } from './search-path.ts'
import { cannotStart } from './spawn-group.ts'
import { systemPath } from './system-path.ts'

/** Milliseconds between TERM and KILL. */
const killAfterMs = 3_000

/** Milliseconds after the exit for which children may hold the output. They live on. */
const heldMs = 2_000

export interface ProgramRunnerOptions {
  readonly clock: Clock
  /** Absolute folders from which no program is started by name. */
  readonly projectFolders: readonly string[]
}

/** Runs programs on this machine. */
export function createProgramRunner(options: ProgramRunnerOptions): ProgramRunner {
  return { run: (program, limits) => run(program, limits, options) }
}

async function run(
  program: ProgramCall,
  { signal, timeoutMs, maxBytes, input, isBinary = false }: ProgramOptions,
  { clock, projectFolders }: ProgramRunnerOptions,
): Promise<ProgramResult> {
  throwIfAborted(signal)
  const { file: name, args, cwd, env } = program
  const file = isAbsolute(name) ? name : findProgram(name, env['PATH'] ?? systemPath, projectFolders)
  if (file === undefined) throw cannotStart(program, 'ENOENT')
  const child = execa(file, args, {
    argv0: name,
    cwd,
    env,
    extendEnv: false,
    // Bytes, because the limit counts characters otherwise.
    encoding: 'buffer',
    maxBuffer: maxBytes,
    timeout: timeoutMs,
    cancelSignal: signal,
    forceKillAfterDelay: killAfterMs,
    reject: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
  })
  let stopHeld = () => {}
  child.once('exit', () => {
    stopHeld = clock.after(heldMs, () => {
      child.stdout.destroy()
      child.stderr.destroy()
    })
  })
  const result = await child
  stopHeld()
  throwIfAborted(signal)
  if (result.timedOut) throw new PipeError('tool', `${name} did not end within ${timeoutMs} ms`)
  if (result.isMaxBuffer) throw new PipeError('tool', `${name} wrote more than ${maxBytes} bytes`)
  const { exitCode, stdout, stderr } = result
  if (exitCode === undefined && result.signal === undefined) throw cannotStart(program, result.cause)
  return { exitCode: exitCode ?? null, stdout: decode(stdout, isBinary), stderr: decode(stderr, false) }
}

function decode(bytes: Uint8Array, isBinary: boolean): string {
  return Buffer.from(bytes).toString(isBinary ? 'latin1' : 'utf8')
}
