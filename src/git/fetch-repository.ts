import { isPipeError, PipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { removeTree } from '../files/writing/remove-tree.ts'
import { failure, runGit } from './hardened.ts'
import type { GitPlace } from './user-repository.ts'

/** Names the commit to fetch. The caller checks its texts: none is an option. */
export interface WantedCommit {
  readonly url: string
  /** A branch or tag. Default: what HEAD names. */
  readonly ref?: string
  /** The commit that it must be. */
  readonly sha?: string
}

export interface FetchOptions extends GitPlace {
  /** Variables for proxies, certificates and ssh. */
  readonly env: Readonly<Record<string, string>>
  /** Most files, and bytes of all of them. */
  readonly most: { readonly entries: number; readonly bytes: number }
  readonly signal: AbortSignal
}

const timeoutMs = 180_000

/** Ways to reach a repository. Git knows others that run a program which the address names. */
const protocols = ['https', 'http', 'ssh', 'git', 'file'].map((name) => `protocol.${name}.allow=always`)

/**
 * Fetches one commit and writes its files into a new folder, without submodules, filters or hooks. Returns the commit. Throws `tool` if git
 * cannot get it, and `invalid` if it is too large or another commit than the wanted one.
 */
export async function fetchRepository(
  wanted: WantedCommit,
  into: string,
  options: FetchOptions,
): Promise<string> {
  const store = `${into}.git`
  makePrivateFolder(store)
  makePrivateFolder(into)
  const git = gitIn(store, options)
  try {
    await git(['init', '--quiet', '--bare', '--template=', store])
    const commit = await fetchCommit(wanted, git)
    await requireSmall(commit, options, git)
    await git([`--work-tree=${into}`, 'read-tree', commit])
    await git([`--work-tree=${into}`, 'checkout-index', '--all', '--quiet'])
    return commit
  } finally {
    await removeTree(store)
  }
}

type Git = (args: readonly string[], maxRecords?: number) => Promise<string>

function gitIn(store: string, { commands, searchPath, env, most, signal }: FetchOptions): Git {
  return (args, maxRecords) =>
    runGit(
      commands,
      {
        args,
        env: {
          ...env,
          PATH: searchPath,
          GIT_DIR: store,
          GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
          GIT_LFS_SKIP_SMUDGE: '1',
        },
        settings: [...protocols, 'transfer.bundleURI=false'],
        timeoutMs,
        maxFileBytes: most.bytes,
        ...(maxRecords !== undefined && { maxRecords }),
      },
      { signal },
    )
}

/** A server may refuse to send a commit by its name. Then all of the branch is fetched, and must hold it. */
async function fetchCommit({ url, ref = 'HEAD', sha }: WantedCommit, git: Git): Promise<string> {
  const fetch = (name: string, ...options: readonly string[]) =>
    git(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...options, '--', url, name])
  const commitOf = async (name: string) =>
    (await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])).trim()
  if (sha === undefined) {
    await fetch(ref, '--depth=1')
    return commitOf('FETCH_HEAD')
  }
  try {
    await fetch(sha, '--depth=1')
  } catch (error) {
    if (!isExit(error)) throw error
    await fetch(ref)
  }
  try {
    return await commitOf(sha)
  } catch (error) {
    if (!isExit(error)) throw error
    throw new PipeError('invalid', `${url} has no commit ${sha}`, { cause: error })
  }
}

function isExit(error: unknown): boolean {
  return isPipeError(error) && error.details['reason'] === 'exit'
}

/** Looks at the sizes before a file is written. */
async function requireSmall(commit: string, { most }: FetchOptions, git: Git): Promise<void> {
  const listed = await git(['ls-tree', '-r', '-z', '--long', '--full-tree', commit], most.entries)
  const bytes = listed
    .split('\0')
    .reduce((sum, row) => sum + Number(/^\d+ blob \w+ +(\d+)\t/.exec(row)?.[1] ?? 0), 0)
  if (bytes > most.bytes) throw failure('too_many', 'the files of the repository are too large')
}
