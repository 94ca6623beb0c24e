import { readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { look } from '../files/look.ts'
import { wayOf } from '../files/real-path.ts'
import { isWithin } from '../machine/path.ts'
import { linksIn } from './links.ts'
import { type Access, type Accesses, follow, isHidden, isPlaceholder } from './path-access.ts'
import { repositoryAt } from './repository.ts'

/** From weak to strong: a stronger access replaces a weaker one. */
const strength: readonly Access[] = [
  'write',
  'frozen',
  'empty_file',
  'empty_folder',
  'read',
  'hidden',
  'hidden_folder',
]

/** More links than protected folders have in practice. */
const mostLinks = 500

/** Collects the accesses of the writable folders and of the protected paths in them. */
export class AccessPlan {
  readonly #accesses = new Map<string, Access>()
  readonly #roots: readonly string[]
  readonly #visited = new Set<string>()
  readonly #isQuiet: boolean

  /**
   * `isQuiet`: no program that could change the roots is running. Otherwise one might swap a folder for a link between planning
   * and mounting, so no path below a root is mounted writable.
   */
  constructor(roots: readonly string[], { isQuiet }: { readonly isQuiet: boolean }) {
    this.#isQuiet = isQuiet
    this.#roots = [...roots].sort()
    for (const root of roots) this.#set(root, 'write')
  }

  /**
   * Keeps a path unchanged, or missing. Does nothing if it is not writable anyway. `holdsWay`: parent folders cannot be renamed.
   * Default: `isQuiet`.
   */
  async protect(
    path: string,
    ifMissing: 'empty_folder' | 'empty_file',
    holdsWay: boolean = this.#isQuiet,
  ): Promise<void> {
    const root = this.#roots.find((one) => isWithin(path, one))
    if (root === undefined) return
    let folder = root
    const names = path === root ? [] : relative(root, path).split('/')
    for (const [i, name] of names.entries()) {
      const at = join(folder, name)
      const found = look(at)
      const isLast = i === names.length - 1
      if (found === undefined || isPlaceholder(at, found)) {
        return this.#set(at, isLast ? ifMissing : 'empty_folder')
      }
      if (found.isSymbolicLink()) {
        this.#freeze(folder)
        return this.#protectTarget(at, names.slice(i + 1).join('/'), ifMissing)
      }
      if (isLast || !found.isDirectory()) {
        this.#set(at, 'read')
        if (found.isDirectory()) await this.#protectLinked(at)
        else if (name === '.git') await this.#protectRepository(at)
        return
      }
      // A mount point cannot be renamed and replaced.
      if (holdsWay) this.#set(at, 'write')
      folder = at
    }
    this.#set(root, 'read')
  }

  /**
   * Keeps an existing path unchanged, but not its parents: as mount points they would prevent moves and links between them. A
   * link may be replaced, just as a missing path may be created; its target may not change.
   */
  async keep(path: string): Promise<void> {
    const isLink = look(path)?.isSymbolicLink() === true
    const real = isLink ? await follow(path) : path
    const found = look(real)
    if (found === undefined || isPlaceholder(real, found) || (isLink && isWithin(path, real))) return
    await this.protect(real, 'empty_file', false)
  }

  /** Makes a root read-only with everything in it. */
  close(root: string): void {
    this.#set(root, 'read')
  }

  hide(path: string): void {
    const found = look(path)
    if (found?.isDirectory() === true) this.#set(path, 'hidden_folder')
    else if (found?.isFile() === true || found?.isSocket() === true) this.#set(path, 'hidden')
  }

  /** Drops paths below one that is read-only or hidden as a whole. */
  finish(): Accesses {
    const kept = new Map<string, Access>()
    let closed: string | undefined
    let unseen: string | undefined
    for (const [path, access] of [...this.#accesses].sort(([a], [b]) => compare(a, b))) {
      if (unseen !== undefined && isWithin(path, unseen)) continue
      if (!isHidden(access) && closed !== undefined && isWithin(path, closed)) continue
      kept.set(path, access)
      if (access === 'hidden_folder') unseen = path
      else if (access !== 'write' && access !== 'frozen' && access !== 'hidden') closed = path
    }
    return kept
  }

  /** Makes a folder read-only because a symlink in it cannot be mounted over. Its subfolders stay writable if `isQuiet`. */
  #freeze(folder: string): void {
    this.#set(folder, 'frozen')
    if (!this.#isQuiet) return
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#set(join(folder, entry.name), 'write')
    }
  }

  /** Protects the targets of links in a protected folder, except those that contain the folder. */
  async #protectLinked(folder: string): Promise<void> {
    for (const link of linksIn(folder)) {
      if (this.#visited.size >= mostLinks) return
      if (isWithin(folder, await follow(link))) continue
      await this.#protectTarget(link, '', basename(link) === 'hooks' ? 'empty_folder' : 'empty_file')
    }
  }

  /**
   * Protects the target of a link, or a path below it, and the links on the way. Visits each once, because links may form a loop.
   */
  async #protectTarget(link: string, below: string, ifMissing: 'empty_folder' | 'empty_file'): Promise<void> {
    const path = join(link, below)
    if (this.#visited.has(path)) return
    this.#visited.add(path)
    for (const target of wayOf(path)) if (target !== path) await this.protect(target, ifMissing)
  }

  /** Protects the repository that the `.git` file of a work tree or submodule names. */
  async #protectRepository(file: string): Promise<void> {
    const repository = await repositoryAt(file)
    if (repository === undefined) return
    await this.protect(repository.folder, 'empty_folder')
    await this.protect(repository.shared, 'empty_folder')
  }

  #set(path: string, access: Access): void {
    const before = this.#accesses.get(path)
    if (before === undefined || strength.indexOf(before) < strength.indexOf(access)) {
      this.#accesses.set(path, access)
    }
  }
}

/** Sorts each folder directly before its contents. */
function compare(a: string, b: string): number {
  const [left, right] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return left < right ? -1 : left > right ? 1 : 0
}
