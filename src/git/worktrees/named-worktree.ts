import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { PipeError } from '../../error.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { isRunning } from '../../files/lock/process-start.ts'
import { look } from '../../files/look.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { systemCode } from '../../files/system-error.ts'
import { removeTree } from '../../files/writing/remove-tree.ts'
import { type ProjectPlace, workLimits } from '../project.ts'
import { Shadow } from '../shadow.ts'
import { pathsIn, treeOf } from '../tree/commit-tree.ts'
import { takeSnapshot } from '../tree/snapshot.ts'
import { findRepository, type UserRepository } from '../user-repository.ts'
import { stampOf } from './file-stamp.ts'
import { giveIndex, register, registrationOf, unregister } from './registration.ts'
import { RefStore } from './work-refs.ts'

/** The folder of named worktrees in the main folder of a repository. Not `.pipe`, in which each edit is asked about. */
const parent = '.worktrees'

const named = /\/\.worktrees\/([^/]+)(?=\/|$)/

type Ending = { readonly signal: AbortSignal }

type Setup = (cwd: string, options: Ending) => Promise<void>

interface Found {
  readonly repository: UserRepository
  /** The main folder of the repository. */
  readonly main: string
  readonly root: string
  readonly branch: string
}

/**
 * Opens the user's worktree of this name, on the branch `worktree-NAME`, or makes it at the user's last commit. Git runs nothing that the
 * repository configures. Throws `input` outside of a repository and for a folder or branch that is in use, and `tool`.
 */
export async function openNamedWorktree(
  place: ProjectPlace,
  name: string,
  { signal }: Ending,
): Promise<NamedWorktree> {
  const repository = await findRepository(place.cwd, place, signal)
  if (repository === undefined)
    throw new PipeError(
      'input',
      `a worktree needs a git repository, and ${place.cwd} is not in one: run git init`,
    )
  const { common, head } = repository
  if (head === undefined)
    throw new PipeError('input', 'a worktree needs a commit, and the repository has none yet')
  const main = basename(common) === '.git' ? dirname(common) : repository.root
  const found = { repository, main, root: join(main, parent, name), branch: `worktree-${name}` }
  const isNew = look(found.root) === undefined
  if (isNew) await make(place, { ...found, head }, signal)
  else if (registrationOf(common, found.root) === undefined)
    throw new PipeError(
      'input',
      `${found.root} exists and is not a worktree of this repository: choose another name`,
    )
  return new NamedWorktree(place, found, isNew)
}

async function make(
  place: ProjectPlace,
  found: Found & { readonly head: string },
  signal: AbortSignal,
): Promise<void> {
  const { repository, main, root, branch, head } = found
  const { common } = repository
  const refs = new RefStore({ ...place, directory: common, signal })
  makeParent(main)
  exclude(common)
  await unregister(common, root)
  const earlier = await refs.read(`refs/heads/${branch}`)
  if (earlier !== undefined) await requireFree(refs, branch)
  const commit = earlier ?? head
  const isNew = earlier === undefined
  await register(refs, { root, commit, branch: { name: branch, isNew }, clock: place.clock, signal })
  try {
    const shadow = shadowOf(place, found).within(workLimits.ms, signal)
    await shadow.exclusively(async () => {
      await shadow.git(['read-tree', commit])
      await shadow.git(['checkout-index', '--all', '--force', '--index'])
      giveIndex(common, root, join(shadow.path, 'index'))
    })
  } catch (error) {
    await removeTree(root)
    await unregister(common, root)
    if (isNew) await refs.uninterrupted().remove([`refs/heads/${branch}`])
    throw error
  }
}

/** Whether a name fits into a path and a branch. */
export function isWorktreeName(name: string): boolean {
  return /^\w[\w.-]{0,63}$/.test(name) && !/\.\.|\.$|\.lock$/.test(name)
}

/** Finds the name of a worktree in a path below it, and the folder that the path stands for; `undefined` for any other path. */
export function worktreeIn(path: string): { readonly name: string; readonly base: string } | undefined {
  const [part, name] = named.exec(path) ?? []
  return part === undefined || name === undefined ? undefined : { name, base: path.replace(part, '') }
}

/** Makes the folder of worktrees. A link would lead out of the project. */
function makeParent(main: string): void {
  const folder = join(main, parent)
  mkdirSync(folder, { recursive: true })
  if (realpathSync(folder) !== join(realpathSync(main), parent))
    throw new PipeError('input', `${folder} is a link: remove it to make worktrees`)
}

/** Has git ignore the folder, as it is nobody else's. */
function exclude(common: string): void {
  const file = join(common, 'info', 'exclude')
  const line = `/${parent}/`
  mkdirSync(dirname(file), { recursive: true })
  const text = look(file)?.isFile() === true ? readFileSync(file, 'utf8') : ''
  if (look(file)?.isSymbolicLink() === true || text.split('\n').includes(line)) return
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
}

/** Throws `input` for a branch that another worktree is on. */
async function requireFree(refs: RefStore, branch: string): Promise<void> {
  const listed = await refs.git(['worktree', 'list', '--porcelain'])
  const user = listed.split('\n\n').find((one) => one.split('\n').includes(`branch refs/heads/${branch}`))
  if (user === undefined) return
  const [, folder = ''] = /^worktree (.*)$/m.exec(user) ?? []
  throw new PipeError('input', `the branch ${branch} is in use in ${folder}: choose another name`)
}

/** The repository with the files of a worktree: it sees no settings of the user's. */
function shadowOf(place: ProjectPlace, { repository, root }: Found): Shadow {
  const directory = join(place.saved, 'named')
  return new Shadow({ ...place, root, cwd: root, directory, keepOut: [], store: repository })
}

/** A worktree that the user named. */
export class NamedWorktree {
  readonly root: string
  /** The folder in it that stands for the working folder. */
  readonly cwd: string
  readonly branch: string
  /** Whether it was made just now. */
  readonly isNew: boolean
  readonly #place: ProjectPlace
  readonly #found: Found
  readonly #registration: string

  constructor(place: ProjectPlace, found: Found, isNew: boolean) {
    const { repository, root, branch } = found
    this.root = root
    this.cwd = join(root, relative(repository.root, place.cwd))
    this.branch = branch
    this.isNew = isNew
    this.#place = place
    this.#found = found
    this.#registration = registrationOf(repository.common, root) ?? ''
    mkdirSync(this.cwd, { recursive: true })
    writeFileSync(this.#markOf(place.pid), '')
  }

  /** Runs the setup of a new worktree. Ignored files that it makes are no changes, as long as they stay as they are. Throws like it. */
  async prepare(setup: Setup, { signal }: Ending): Promise<void> {
    try {
      await setup(this.cwd, { signal })
    } finally {
      // A setup that failed has made files too.
      const unending = new AbortController().signal
      const head = await this.#refs(this.#registration, unending).read('HEAD')
      if (head !== undefined) writeFileSync(this.#stampFile, (await this.#inspect(head, unending)).stamp)
    }
  }

  /**
   * Removes it with its branch if nothing would be lost: it has no commits, changes or new ignored files, and no other process works in it.
   * Returns whether it did.
   */
  async close({ signal }: Ending): Promise<boolean> {
    rmSync(this.#markOf(this.#place.pid), { force: true })
    if (this.#isUsed() || !(await this.#isUnchanged(signal))) return false
    const { repository, main } = this.#found
    const { path } = shadowOf(this.#place, this.#found)
    await removeTree(this.root)
    await unregister(repository.common, this.root)
    await this.#refs(repository.common, signal).remove([`refs/heads/${this.branch}`])
    await removeTree(path)
    removeIfEmpty(join(main, parent))
    return true
  }

  #markOf(pid: number): string {
    return join(this.#registration, `pipe-${pid}`)
  }

  /** Holds the stamp of what the setup made beside the files of git. */
  get #stampFile(): string {
    return join(this.#registration, 'pipe-setup')
  }

  /** Whether another process works in it. Marks of those that were killed do not count. */
  #isUsed(): boolean {
    return readdirSync(this.#registration).some((name) => {
      const [, pid] = /^pipe-(\d+)$/.exec(name) ?? []
      return pid !== undefined && isRunning(Number(pid), undefined)
    })
  }

  async #isUnchanged(signal: AbortSignal): Promise<boolean> {
    const own = this.#refs(this.#registration, signal)
    const on = (await own.git(['symbolic-ref', '--quiet', 'HEAD'], [0, 1])).trim()
    const head = await own.read('HEAD')
    if (head === undefined || on !== `refs/heads/${this.branch}`) return false
    if (!(await this.#isOfUser(head, signal))) return false
    const { isCommitted, stamp } = await this.#inspect(head, signal)
    return isCommitted && stamp === (readIfThere(this.#stampFile)?.toString() ?? sha256(''))
  }

  /** Looks whether the files are those of a commit, and stamps the ones that a snapshot cannot hold: ignored, too large or in repositories. */
  #inspect(head: string, signal: AbortSignal): Promise<{ isCommitted: boolean; stamp: string }> {
    const shadow = shadowOf(this.#place, this.#found).within(workLimits.ms, signal)
    return shadow.exclusively(async () => {
      const tracked = new Set(await pathsIn(shadow, head))
      const { tree, untouched } = await takeSnapshot(shadow, { limits: workLimits, tracked })
      const others = untouched.filter((path) => !tracked.has(path))
      return {
        isCommitted: tree === (await treeOf(shadow, head)),
        stamp: await stampOf(this.root, others),
      }
    })
  }

  /** Whether the user's own branch has this commit too. */
  async #isOfUser(commit: string, signal: AbortSignal): Promise<boolean> {
    const { common, head = '' } = this.#found.repository
    const refs = this.#refs(common, signal)
    const base = (await refs.git(['merge-base', commit, head], [0, 1])).trim()
    return base === commit
  }

  #refs(directory: string, signal: AbortSignal): RefStore {
    return new RefStore({ ...this.#place, directory, signal })
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    // Others are left.
    if (systemCode(error) === undefined) throw error
  }
}
