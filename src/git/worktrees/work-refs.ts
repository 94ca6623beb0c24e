import { PipeError } from '../../error.ts'
import { runGit } from '../hardened.ts'
import type { GitPlace } from '../user-repository.ts'

/** Kinds of work: of elves, of tasks, or of models in a race. */
export type WorkKind = 'elves' | 'tasks' | 'race'

/** The refs of one piece of work. */
export interface WorkRefs {
  /** The work saved last. */
  readonly work: string
  /** The commit that it began with. */
  readonly base: string
  /** The work that was merged into the user's files last. */
  readonly applied: string
  /** A merge into the user's files that may not have ended: the files after it, whose parent holds those before it. */
  readonly begun: string
}

/** Names the refs of a piece of work. Throws `input` for an id that fits into no path. */
export function refsOf(kind: WorkKind, id: string): WorkRefs {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new PipeError('input', `not an id: ${JSON.stringify(id)}`)
  const ref = (group: string) => `refs/pipe/${group}/${id}`
  return {
    work: ref(kind),
    base: ref(`${kind}-base`),
    applied: ref(`${kind}-applied`),
    begun: ref(`${kind}-begun`),
  }
}

/** The repository that holds the refs. */
export interface RefStoreOptions extends GitPlace {
  /** The git folder. */
  readonly directory: string
  readonly signal: AbortSignal
}

/** Waits for other programs that change refs at the same time. */
const patience = ['core.filesRefLockTimeout=5000', 'core.packedRefsTimeout=5000']

const timeoutMs = 60_000

/** Reads and writes refs of a repository, without its hooks. Throws what `runGit` throws. */
export class RefStore {
  readonly #options: RefStoreOptions

  constructor(options: RefStoreOptions) {
    this.#options = options
  }

  /** The same refs, for work that has to end. */
  uninterrupted(): RefStore {
    return new RefStore({ ...this.#options, signal: new AbortController().signal })
  }

  /** The commit that a ref, or another name of a commit, stands for. */
  async read(name: string): Promise<string | undefined> {
    const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
    const said = await this.git(args, [0, 1, 128])
    return /^[0-9a-f]{40,64}$/m.exec(said)?.[0]
  }

  async write(ref: string, commit: string): Promise<void> {
    await this.git(['update-ref', ref, commit])
  }

  /** Those of the refs that exist. */
  async present(refs: readonly string[]): Promise<readonly string[]> {
    const listed = await this.git(['for-each-ref', '--format=%(refname)', ...refs], [0, 128])
    const known = new Set(listed.split('\n'))
    return refs.filter((ref) => known.has(ref))
  }

  /** The refs below a folder of refs, newest first, with the times of their commits in milliseconds since 1970. */
  async dated(folder: string): Promise<readonly { readonly ref: string; readonly at: number }[]> {
    const format = '--format=%(committerdate:unix) %(refname)'
    const listed = await this.git(['for-each-ref', '--sort=-committerdate', format, folder], [0, 128])
    return listed.split('\n').flatMap((line) => {
      const [, at = '', ref = ''] = /^(\d+) (.*)$/.exec(line) ?? []
      return ref === '' ? [] : [{ ref, at: Number(at) * 1_000 }]
    })
  }

  async remove(refs: readonly string[]): Promise<void> {
    for (const ref of refs) await this.git(['update-ref', '-d', ref])
  }

  /** Runs git in the repository. It sees the repository's settings, but runs nothing for them. */
  git(args: readonly string[], goodExits: readonly number[] = [0]): Promise<string> {
    const { commands, searchPath, directory, signal } = this.#options
    const env = { PATH: searchPath, GIT_DIR: directory, ...identity }
    return runGit(commands, { args, env, settings: patience, timeoutMs, goodExits }, { signal })
  }
}

/** The author of commits, whatever git is told about the user. */
export const identity = {
  GIT_AUTHOR_NAME: 'pipe',
  GIT_AUTHOR_EMAIL: 'pipe',
  GIT_COMMITTER_NAME: 'pipe',
  GIT_COMMITTER_EMAIL: 'pipe',
}
