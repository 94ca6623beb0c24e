import { isPipeError } from '../../error.ts'
import type { CommandRunner } from '../../machine/running-command.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { runGit } from '../hardened.ts'

/** The repository of a folder, as far as clones of it have it in common. */
export interface Origin {
  /** The commits without a parent from which its current commit descends, sorted. Empty before the first commit. */
  readonly roots: readonly string[]
  /** The current commit. Absent before the first commit. */
  readonly head?: string
  /** Its history was cut when it was cloned, so its roots are not those of a whole clone. */
  readonly isShallow: boolean
}

export interface OriginOptions {
  readonly commands: CommandRunner
  /** Absolute. */
  readonly cwd: string
  /** `PATH` of git. */
  readonly searchPath: string
  readonly signal: AbortSignal
}

/** Finds the repository that a folder is in; `undefined` outside of git. Throws `aborted`, and `tool` if git takes too long. */
export async function findOrigin(options: OriginOptions): Promise<Origin | undefined> {
  const shallow = await ask(options, 'rev-parse', '--is-shallow-repository')
  if (shallow === undefined) return undefined
  const head = await ask(options, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  const roots = head && (await ask(options, 'rev-list', '--max-parents=0', head, '--'))
  return {
    roots: roots === undefined ? [] : roots.split('\n').sort(),
    ...omitUndefined({ head }),
    isShallow: shallow === 'true',
  }
}

/** Whether the repository has a commit. Throws `aborted`, and `tool` if git takes too long. */
export async function hasCommit(options: OriginOptions, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false
  return (await ask(options, 'cat-file', '-e', `${commit}^{commit}`)) !== undefined
}

/** Commits that git is asked about at once, far below the longest command line. */
const mostAsked = 500

/** Returns those of these commits that the repository has; none outside of git. Throws `aborted`, and `tool` if git takes too long. */
export async function commitsIn(
  options: OriginOptions,
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = commits.filter((commit) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit))
  const found = new Set<string>()
  for (let i = 0; i < asked.length; i += mostAsked) {
    const args = ['--no-walk', '--ignore-missing', ...asked.slice(i, i + mostAsked), '--']
    const said = await ask(options, 'rev-list', ...args)
    for (const commit of said?.split('\n') ?? []) found.add(commit)
  }
  return found
}

/** Long enough to walk a history of millions of commits. */
const timeoutMs = 60_000

/** Returns what git says; `undefined` if it is missing or refuses. */
async function ask(
  { commands, cwd, searchPath, signal }: OriginOptions,
  ...args: readonly string[]
): Promise<string | undefined> {
  // Only reads commits, so it does not matter whose repository it is.
  const settings = ['safe.directory=*']
  const call = { folder: cwd, args, env: { PATH: searchPath }, settings, timeoutMs }
  try {
    return (await runGit(commands, call, { signal })).trim()
  } catch (error) {
    const reason = isPipeError(error) ? error.details['reason'] : undefined
    if (reason === 'exit' || reason === 'missing') return undefined
    throw error
  }
}
