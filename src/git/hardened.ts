import { type CommandExit, type CommandRunner, unfinished } from '../command.ts'
import { isPipeError, PipeError } from '../error.ts'

interface GitCall {
  readonly args: readonly string[]
  /** `PATH`, `GIT_DIR` and the like. Nothing else of the environment reaches git. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** More settings, `name=value`. */
  readonly settings?: readonly string[]
  /** It is ended once it has written more records than this, each closed by a NUL. */
  readonly maxRecords?: number
}

/** Against settings by which a repository, whoever wrote it, could have git run something or change bytes. */
const hardening: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  // Names that are bad on other systems only are names here.
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.quotePath=false',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'gc.auto=0',
  // Saving is what a turn waits for; with syncs it takes ten times as long.
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
 * Runs git without anything that a person, a machine or a repository could have configured: no hooks, filters, monitors, pagers
 * or external diffs. Gives its stdout. Throws `tool` with `details.reason`: `missing` where there is no git, `timeout`, `too_many`
 * records, `exit`; and `aborted`.
 */
export async function runGit(
  commands: CommandRunner,
  { args, env, timeoutMs, settings = [], maxRecords = Number.POSITIVE_INFINITY }: GitCall,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  const line = {
    file: 'git',
    args: [...[...hardening, ...settings].flatMap((setting) => ['-c', setting]), ...args],
    // Outside of every project: a relative entry of `PATH` finds no program of one, and paths are those from its root on.
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
        requireSuccess(step.value, args, decode(stderr))
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

/** A failure of git, by its `details.reason`. */
export function failure(reason: 'missing' | 'timeout' | 'too_many' | 'exit', message: string): PipeError {
  return new PipeError('tool', message, { details: { reason } })
}

function requireSuccess(exit: CommandExit, args: readonly string[], stderr: string): void {
  if (exit.timedOut) throw failure('timeout', `git ${args[0]} took too long`)
  if (exit.exitCode === 0) return
  const said = stderr.trim() || `ended with ${exit.signal ?? exit.exitCode}`
  throw failure('exit', `git ${args[0]}: ${said}`)
}

function countRecords(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) count++
  return count
}

function decode(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString()
}
