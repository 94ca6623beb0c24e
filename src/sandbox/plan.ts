import { readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { look } from '../files/look.ts'
import { isWithin } from '../path.ts'
import { type Access, type Accesses, follow, isHidden, isStandIn } from './access.ts'
import { linksIn, nextOf } from './links.ts'
import { repositoryAt } from './repository.ts'

/** The stronger later. */
const strength: readonly Access[] = [
  'write',
  'frozen',
  'empty_file',
  'empty_folder',
  'read',
  'hidden',
  'hidden_folder',
]

/** Links that lie in protected folders: nobody has as many by hand. */
const mostLinks = 500

/** What comes to be known, step by step, of the folders that may be written to, and of what may not be in them. */
export class Plan {
  readonly #accesses = new Map<string, Access>()
  readonly #roots: readonly string[]
  readonly #followed = new Set<string>()
  readonly #isQuiet: boolean

  /**
   * `isQuiet`: nothing runs that could change the roots. What does may put a link to anywhere in the place of a folder, once it is
   * planned and before it is mounted: nothing below a root is mounted to be written to then.
   */
  constructor(roots: readonly string[], { isQuiet }: { readonly isQuiet: boolean }) {
    this.#isQuiet = isQuiet
    this.#roots = [...roots].sort()
    for (const root of roots) this.#set(root, 'write')
  }

  /**
   * Keeps what this path stands for as it is, or absent. Where it is not writable anyway there is nothing to do. `holdsWay`: the
   * folders on the way cannot be renamed. Default: as far as it is quiet.
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
      if (found === undefined || isStandIn(at, found)) {
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
      // Being a mount point itself it cannot be renamed, and something else put in its place.
      if (holdsWay) this.#set(at, 'write')
      folder = at
    }
    this.#set(root, 'read')
  }

  /**
   * Keeps what is there as it is. A link may be replaced, as what is absent may come to be; what it leads to may not. So may the
   * folders on the way: were they mount points, nothing could be moved or linked from one to another.
   */
  async keep(path: string): Promise<void> {
    const isLink = look(path)?.isSymbolicLink() === true
    const real = isLink ? await follow(path) : path
    const found = look(real)
    if (found === undefined || isStandIn(real, found) || (isLink && isWithin(path, real))) return
    await this.protect(real, 'empty_file', false)
  }

  /** Keeps all that is in a root as it is. */
  close(root: string): void {
    this.#set(root, 'read')
  }

  hide(path: string): void {
    const found = look(path)
    if (found?.isDirectory() === true) this.#set(path, 'hidden_folder')
    else if (found?.isFile() === true || found?.isSocket() === true) this.#set(path, 'hidden')
  }

  /** Leaves out what lies below something that is closed as a whole. */
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

  /**
   * A symlink cannot be mounted over: so that it stays, its folder is read-only, and writable are only the folders in it, as far as
   * it is quiet.
   */
  #freeze(folder: string): void {
    this.#set(folder, 'frozen')
    if (!this.#isQuiet) return
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#set(join(folder, entry.name), 'write')
    }
  }

  /** What links in a protected folder lead to, but for one to what it lies in itself. */
  async #protectLinked(folder: string): Promise<void> {
    for (const link of linksIn(folder)) {
      if (this.#followed.size >= mostLinks) return
      if (isWithin(folder, await follow(link))) continue
      await this.#protectTarget(link, '', basename(link) === 'hooks' ? 'empty_folder' : 'empty_file')
    }
  }

  /** What a link leads to, or this path below it, and the links on the way there: once, as they may go in a circle. */
  async #protectTarget(link: string, below: string, ifMissing: 'empty_folder' | 'empty_file'): Promise<void> {
    const path = join(link, below)
    if (this.#followed.has(path)) return
    this.#followed.add(path)
    for (const target of new Set([join(nextOf(link), below), await follow(path)])) {
      if (target !== path) await this.protect(target, ifMissing)
    }
  }

  /** The repository of a work tree or a submodule lies where its `.git` file says. */
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

/** Puts every folder right before what lies in it. */
function compare(a: string, b: string): number {
  const [left, right] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return left < right ? -1 : left > right ? 1 : 0
}
