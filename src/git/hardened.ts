import { isPipeError, PipeError } from '../error.ts'
import {
  type CommandExit,
  type CommandLine,
  type CommandRunner,
  unfinished,
} from '../machine/running-command.ts'

interface GitCall {
  readonly args: readonly string[]
  /** The absolute folder that git enters first. Default: the root of the file system. */
  readonly folder?: string | undefined
  /** `PATH`, `GIT_DIR` and the like. Git inherits nothing else from the environment. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Additional settings, each `name=value`. */
  readonly settings?: readonly string[]
  /** Stops git once it has written more NUL-terminated records than this. */
  readonly maxRecords?: number
  /** Ends git once a file that it writes becomes about this large. */
  readonly maxFileBytes?: number
  /** The exit codes that are no failure. Default: 0. */
  readonly goodExits?: readonly number[]
}

/** Overrides settings by which an untrusted repository could make git run programs or change bytes. */
const hardening: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  // Names that only other systems forbid are valid here.
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.quotePath=false',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'gc.auto=0',
  // A turn waits for the save, and syncing makes it ten times slower.
  'core.fsync=none',
]

const environment = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_NO_REPLACE_OBJECTS: '1',
}

/**
 * Runs git without any configured hooks, filters, monitors, pagers or external diffs, and returns its stdout. Throws `aborted`, or
 * `tool` with `details.reason`: `missing` (git is not installed), `timeout`, `too_many` (records) or `exit`.
 */
export async function runGit(
  commands: CommandRunner,
  { args, folder, env, timeoutMs, settings = [], maxRecords = Number.POSITIVE_INFINITY, ...call }: GitCall,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  const { maxFileBytes, goodExits = [0] } = call
  const set = [...hardening, ...settings].flatMap((setting) => ['-c', setting])
  const words = [...set, ...(folder === undefined ? [] : ['-C', folder]), ...args]
  const line = {
    ...(maxFileBytes === undefined ? { file: 'git', args: words } : limited(words, maxFileBytes)),
    // Outside every project: a relative entry of `PATH` finds none of its programs, and git prints paths from the root.
    cwd: '/',
    env: { ...environment, ...env },
    timeoutMs,
  }
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  let records = 0
  const running = commands.run(line, { signal })
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) {
        if (!isGood(step.value, goodExits)) throw failed(step.value, args, decode(stderr))
        return decode(stdout)
      }
      const { stream, chunk } = step.value
      const heard = stream === 'stdout' ? stdout : stderr
      heard.push(chunk)
      if (stream === 'stdout') records += countRecords(chunk)
      if (records > maxRecords) throw failure('too_many', `there are more than ${maxRecords} files`)
    }
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'ENOENT') throw error
    throw failure('missing', 'git is not installed')
  } finally {
    await running.return(unfinished)
  }
}

/** The limit of the shell counts blocks of 512 bytes. */
function limited(words: readonly string[], maxFileBytes: number): Pick<CommandLine, 'file' | 'args'> {
  const blocks = String(Math.ceil(maxFileBytes / 512))
  return { file: '/bin/sh', args: ['-c', 'ulimit -f "$0" && exec git "$@"', blocks, ...words] }
}

/** A git failure with its `details.reason`. */
export function failure(reason: 'missing' | 'timeout' | 'too_many' | 'exit', message: string): PipeError {
  return new PipeError('tool', message, { details: { reason } })
}

function isGood({ timedOut, exitCode }: CommandExit, goodExits: readonly number[]): boolean {
  return !timedOut && exitCode !== null && goodExits.includes(exitCode)
}

function failed(exit: CommandExit, args: readonly string[], stderr: string): PipeError {
  if (exit.timedOut) return failure('timeout', `git ${args[0]} took too long`)
  const said = stderr.trim() || `ended with ${exit.signal ?? exit.exitCode}`
  return failure('exit', `git ${args[0]}: ${said}`)
}

function countRecords(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) count++
  return count
}

function decode(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString()
}
