import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Clock } from '../clock.ts'
import { hasCode, isPipeError } from '../error.ts'
import { sha256 } from '../files/lazy-crypto.ts'
import { type Lock, takeLock } from '../files/lock/lock.ts'
import { makeFolders } from '../files/private-folder.ts'
import { fileError } from '../files/system-error.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import { failure, runGit } from './hardened.ts'

export interface ShadowOptions {
  /** Real path of the folder to save. */
  readonly root: string
  /** Real path of the working folder, which no undo removes. */
  readonly cwd: string
  /** The parent folder of all these repositories. */
  readonly directory: string
  /** Absolute folders that are neither saved nor touched. */
  readonly keepOut: readonly string[]
  readonly commands: CommandRunner
  readonly clock: Clock
  /** The `PATH` on which to find git. */
  readonly searchPath: string
  readonly pid: number
  readonly host: string
  /** Keeps the objects. Default: the repository itself. */
  readonly store?: ObjectStore
}

/** The objects of another repository, to which this one adds its own. Never collect garbage with it: it knows none of the refs there. */
interface ObjectStore {
  /** Its folder of objects, absolute. */
  readonly objects: string
  /** `sha1` or `sha256`. */
  readonly format: string
  /** The git folder of that repository, whose `info/exclude` counts. */
  readonly common: string
  /** Its `core.sharedRepository`: who else may write there. Absent if it is not set. */
  readonly sharing: string | undefined
}

/** Work ends when the signal fires or at this time of the monotonic clock. */
interface Allowance {
  readonly signal: AbortSignal
  readonly until: number
}

interface Known {
  version?: string
}

interface ShadowCall {
  readonly index?: string
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: readonly string[]
  readonly maxRecords?: number
  readonly goodExits?: readonly number[]
}

/** Overrides the project's own attributes, which would change bytes on their way in and out. */
const attributes = '* -text !eol !crlf !ident !filter !working-tree-encoding !diff !merge\n'

/** A power cut must not leave half an object in the user's repository, and whoever shares it must be able to write there. */
function storing({ sharing }: ObjectStore): readonly string[] {
  const durable = ['core.fsync=committed', 'core.fsyncMethod=batch']
  return sharing === undefined ? durable : [...durable, `core.sharedRepository=${sharing}`]
}

/**
 * These write the index. A git that is not in the work tree then cannot see whether an entry has changed since, within the second that
 * its times are kept in, and takes it for unchanged from then on.
 */
const indexWriters: ReadonlySet<string | undefined> = new Set(['update-index', 'write-tree', 'read-tree'])

const lockPollMs = 20

const damagedIndex = /index file (corrupt|smaller than expected)/

/**
 * A separate git repository over the files of a folder. Never reads or writes the folder's own repository. Has no time limit unless
 * it comes from `within`.
 */
export class Shadow {
  readonly root: string
  readonly cwd: string
  readonly clock: Clock
  readonly #options: ShadowOptions
  readonly #allowance: Allowance
  /** Shared by all copies, so that git's version is read once. */
  readonly #known: Known
  #path: string | undefined

  constructor(options: ShadowOptions, allowance: Allowance = unlimited(), known: Known = {}) {
    this.#options = options
    this.#allowance = allowance
    this.#known = known
    this.root = options.root
    this.cwd = options.cwd
    this.clock = options.clock
  }

  /** Path of the repository. */
  get path(): string {
    const { directory, root } = this.#options
    this.#path ??= join(directory, `${sha256(root).slice(0, 32)}.git`)
    return this.#path
  }

  /** The file with patterns of ignored paths that are not part of the project. It need not exist. */
  get excludes(): string {
    const { root, store } = this.#options
    return join(store?.common ?? join(root, '.git'), 'info', 'exclude')
  }

  /** Whether the repository was ever set up. */
  get exists(): boolean {
    return existsSync(this.#attributes)
  }

  /** A copy whose work ends on this signal or after this time only; earlier limits no longer apply. */
  within(ms: number, signal: AbortSignal): Shadow {
    return this.#with({ signal, until: this.clock.monotonic() + ms })
  }

  /** A copy whose work also ends on this signal. */
  endedBy(signal: AbortSignal): Shadow {
    const { signal: own, until } = this.#allowance
    return this.#with({ signal: AbortSignal.any([own, signal]), until })
  }

  /** Whether the time is up. */
  get isOver(): boolean {
    return this.clock.monotonic() >= this.#allowance.until
  }

  /** Runs git over the folder's files. Throws what `runGit` throws. */
  git(args: readonly string[], { index, env, ...call }: ShadowCall = {}): Promise<string> {
    const own = index === undefined ? {} : { GIT_INDEX_FILE: index }
    const { store } = this.#options
    const objects = store === undefined ? {} : { GIT_OBJECT_DIRECTORY: store.objects }
    const settings = [...(store === undefined ? [] : storing(store)), ...(call.settings ?? [])]
    return this.#run(args, {
      ...call,
      ...(indexWriters.has(args[0]) && { folder: this.root }),
      settings,
      env: { GIT_WORK_TREE: this.root, ...objects, ...own, ...env },
    })
  }

  /** Whether git packs many files added at once into one pack, which is several times faster. */
  packsAtOnce(): Promise<boolean> {
    return this.isAtLeast(37)
  }

  /** Whether git's version is 2 with this minor number, or a later one. */
  async isAtLeast(wanted: number): Promise<boolean> {
    this.#known.version ??= await this.#run(['version'])
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(this.#known.version) ?? []
    return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= wanted)
  }

  /** Runs work while no other process works in this repository. Creates the repository if it is missing. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    let lock: Lock | undefined
    try {
      lock = await this.#lock()
      // Left by a killed git: the holder of our lock is alone.
      for (const name of ['index.lock', 'restore.lock', 'config.lock'])
        rmSync(join(this.path, name), { force: true })
      if (!this.exists) await this.#make()
      return await work()
    } catch (error) {
      // A power cut can damage the index, and git refuses it from then on. The next run builds a new one.
      if (isPipeError(error) && damagedIndex.test(error.message))
        rmSync(join(this.path, 'index'), { force: true })
      throw isSystemError(error) ? fileError(error, this.path, 'save files in') : error
    } finally {
      lock?.release()
    }
  }

  /** The environment in which git takes every file for a binary one. Call it in `exclusively`. */
  async forBytes(): Promise<Readonly<Record<string, string>>> {
    const folder = join(this.path, 'bytes')
    // Only the attributes in a git folder are above those of the project.
    const own = join(folder, 'info', 'attributes')
    if (!existsSync(own)) {
      await this.#init(folder)
      writeFileSync(own, '* -diff\n')
    }
    return {
      GIT_DIR: folder,
      GIT_OBJECT_DIRECTORY: this.#options.store?.objects ?? join(this.path, 'objects'),
    }
  }

  /** The paths skipped when the last turn began. */
  readUntouched(): readonly string[] {
    return existsSync(this.#untouched)
      ? readFileSync(this.#untouched, 'utf8').split('\0').filter(Boolean)
      : []
  }

  writeUntouched(paths: readonly string[]): void {
    writeFileSync(this.#untouched, paths.join('\0'), { mode: 0o600 })
  }

  /** Written last when the repository is created: marks it as complete. */
  get #attributes(): string {
    return join(this.path, 'info', 'attributes')
  }

  get #untouched(): string {
    return join(this.path, 'untouched')
  }

  #with(allowance: Allowance): Shadow {
    return new Shadow(this.#options, allowance, this.#known)
  }

  async #run(
    args: readonly string[],
    call: Omit<ShadowCall, 'index'> & { readonly folder?: string } = {},
  ): Promise<string> {
    const { commands, searchPath } = this.#options
    const { signal, until } = this.#allowance
    const timeoutMs = until - this.clock.monotonic()
    if (timeoutMs <= 0) throw failure('timeout', `there is no time left for git ${args[0]}`)
    const env = { PATH: searchPath, GIT_DIR: this.path, ...call.env }
    return runGit(commands, { ...call, args, env, timeoutMs }, { signal })
  }

  async #lock(): Promise<Lock> {
    const { pid, host } = this.#options
    const { signal } = this.#allowance
    makeFolders(this.path, 0o700)
    for (;;) {
      try {
        return takeLock(`${this.path}.lock`, { pid, host, clock: this.clock, signal })
      } catch (error) {
        if (!hasCode(error, 'conflict') || this.isOver) throw error
      }
      await this.clock.sleep(lockPollMs, signal)
    }
  }

  async #make(): Promise<void> {
    await this.#init(this.path)
    const info = join(this.path, 'info')
    const { keepOut } = this.#options
    const inside = keepOut
      .map((path) => relative(this.root, path))
      .filter((path) => !/^(\.\.)?(\/|$)/.test(path))
    writeFileSync(join(info, 'exclude'), inside.map((path) => `${anchored(path)}/\n`).join(''))
    writeFileSync(this.#attributes, attributes)
  }

  async #init(folder: string): Promise<void> {
    const { store } = this.#options
    const format = store === undefined ? [] : [`--object-format=${store.format}`]
    // The formats in which checkpoints write; a later git may have others by default.
    const env = { GIT_DIR: folder, GIT_DEFAULT_HASH: 'sha1', GIT_DEFAULT_REF_FORMAT: 'files' }
    await this.#run(['init', '--quiet', '--bare', '--template=', ...format], { env })
    makeFolders(join(folder, 'info'))
  }
}

/** A `.gitignore` pattern that matches only this path. */
export function anchored(path: string): string {
  return `/${path.replace(/[\\*?[]/g, '\\$&')}`
}

function unlimited(): Allowance {
  return { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
