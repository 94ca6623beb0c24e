import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { realPath } from '../files/real-path.ts'
import { isWithin } from '../path.ts'
import type { SandboxProfile } from './profile.ts'

/**
 * How a path is seen inside: `write`; `frozen`, which is read-only although something below it may be writable; `read`, with all
 * that is below it; as an empty folder or file, because nothing is there; `hidden`, and `hidden_folder` with all that is in it.
 */
export type Access = 'write' | 'frozen' | 'empty_folder' | 'empty_file' | 'read' | 'hidden' | 'hidden_folder'

/** Whether nothing of it is to be seen. */
export function isHidden(access: Access): boolean {
  return access === 'hidden' || access === 'hidden_folder'
}

/** By absolute path, without symlinks, the outer before the inner. All else is read-only. */
export type Accesses = ReadonlyMap<string, Access>

/** The stronger later. */
const strength: readonly Access[] = [
  'write',
  'frozen',
  'empty_folder',
  'empty_file',
  'read',
  'hidden',
  'hidden_folder',
]

/** Read by what runs in a project, and expected to be a file: package managers fail on a folder of that name. */
const readByTools = /^\.(npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|pre-commit-config\.yaml|gitmodules|envrc)$/

/** What a profile comes to with the files as they are now; at none of these sockets anybody is reached. */
export async function planAccesses(
  profile: SandboxProfile,
  sockets: readonly string[] = [],
): Promise<Accesses> {
  const places = await Promise.all(profile.writable.map(follow))
  const roots = profile.mode === 'read-only' ? [] : places.filter((one) => look(one)?.isDirectory() === true)
  const plan = new Plan(roots)
  for (const root of roots) {
    for (const name of profile.protectedNames) await plan.protect(join(root, name))
  }
  for (const path of profile.protectedPaths) {
    await plan.protect(path)
    await plan.protect(await follow(path))
  }
  for (const path of profile.hidden) {
    const real = await follow(path)
    // What is worked in cannot be out of sight.
    if (!places.some((place) => isWithin(place, real))) plan.hide(real)
  }
  for (const path of sockets) {
    const real = await follow(path)
    // With the network of the machine the sockets of commands that still run are listed too.
    if (!profile.network || !roots.some((root) => isWithin(real, root))) plan.hide(real)
  }
  return plan.finish()
}

class Plan {
  readonly #accesses = new Map<string, Access>()
  readonly #roots: readonly string[]

  constructor(roots: readonly string[]) {
    this.#roots = [...roots].sort()
    for (const root of roots) this.#set(root, 'write')
  }

  /** Keeps what this path stands for as it is. Where it is not writable anyway there is nothing to do. */
  async protect(path: string): Promise<void> {
    const root = this.#roots.find((one) => isWithin(path, one))
    if (root === undefined) return
    let folder = root
    const names = path === root ? [] : relative(root, path).split('/')
    for (const [i, name] of names.entries()) {
      const at = join(folder, name)
      const found = look(at)
      const isLast = i === names.length - 1
      if (found === undefined || isStandIn(at, found)) {
        return this.#set(at, isLast && readByTools.test(name) ? 'empty_file' : 'empty_folder')
      }
      if (found.isSymbolicLink()) {
        this.#freeze(folder)
        const real = await follow([at, ...names.slice(i + 1)].join('/'))
        // A link in a circle leads nowhere.
        return real === path ? undefined : this.protect(real)
      }
      if (isLast && name === '.git' && found.isFile()) await this.#protectRepository(at, folder)
      if (isLast || !found.isDirectory()) return this.#set(at, 'read')
      // Being a mount point itself it cannot be renamed, and something else put in its place.
      this.#set(at, 'write')
      folder = at
    }
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

  /** A symlink cannot be mounted over: so that it stays, its folder is read-only, and writable are only the folders in it. */
  #freeze(folder: string): void {
    this.#set(folder, 'frozen')
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#set(join(folder, entry.name), 'write')
    }
  }

  /** The repository of a work tree or a submodule lies where its `.git` file says. */
  async #protectRepository(file: string, folder: string): Promise<void> {
    const [, where] = /^gitdir: *(.+)$/m.exec(readFileSync(file, 'utf8').slice(0, 8_192)) ?? []
    if (where === undefined) return
    const repository = await follow(resolve(folder, where.trim()))
    await this.protect(repository)
    const common = join(repository, 'commondir')
    if (look(common)?.isFile() !== true) return
    await this.protect(await follow(resolve(repository, readFileSync(common, 'utf8').trim())))
  }

  #set(path: string, access: Access): void {
    const before = this.#accesses.get(path)
    if (before === undefined || strength.indexOf(before) < strength.indexOf(access)) {
      this.#accesses.set(path, access)
    }
  }
}

/** Of what stands in for nothing, so that other processes know it as such; nothing else of these names has it. */
export const standInBit = 0o1000

/** Whether nothing but a stand-in is there, as some process that runs commands needs it. */
export function isStandIn(path: string, found: Stats): boolean {
  if ((found.mode & standInBit) === 0) return false
  try {
    return found.isDirectory() ? readdirSync(path).length === 0 : found.isFile() && found.size === 0
  } catch {
    return false
  }
}

/** What a path leads to; the path itself where its links go in a circle or a folder may not be searched. */
async function follow(path: string): Promise<string> {
  return realPath(path).catch(() => path)
}

/** What stands at a path; `undefined` where nothing does or where it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Puts every folder right before what lies in it. */
function compare(a: string, b: string): number {
  const [left, right] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return left < right ? -1 : left > right ? 1 : 0
}
