import { basename, dirname, isAbsolute, join } from 'node:path'
import { look } from '../files/look.ts'
import { isWithin } from '../machine/path.ts'
import { AccessPlan } from './access-plan.ts'
import type { NameFinder } from './name-finder.ts'
import { type Accesses, follow, isPlaceholder } from './path-access.ts'
import type { SandboxProfile } from './profile.ts'

/** The current state of the machine. */
export interface MachineState {
  /** Sockets to hide. Default: none. */
  readonly sockets?: readonly string[]
  /** Finds existing paths with protected names. */
  readonly find: NameFinder
  /** No program that was started in a sandbox still runs. */
  readonly isQuiet: boolean
}

/** Computes the accesses of a profile for the files that exist now. */
export async function planAccesses(
  profile: SandboxProfile,
  { sockets = [], find, isQuiet }: MachineState,
): Promise<Accesses> {
  const writable = await Promise.all(profile.writable.map(follow))
  const roots =
    profile.mode === 'read-only' ? [] : writable.filter((one) => look(one)?.isDirectory() === true)
  const plan = new AccessPlan(roots, { isQuiet })
  for (const path of await inFolders(profile.protectedFolders, roots))
    await plan.protect(path, 'empty_folder')
  for (const path of await inFolders(profile.protectedFiles, roots)) await plan.protect(path, 'empty_file')
  for (const path of await inFolders(profile.readOnly, roots)) {
    // Skip missing paths: a placeholder would keep builds from creating them or the folders on the way.
    if (!isThere(path)) continue
    for (const root of roots) if (isWithin(root, path)) plan.close(root)
    await plan.protect(path, 'empty_file')
  }
  for (const path of roots.flatMap(find)) await plan.keep(path)
  for (const path of profile.hidden) {
    const real = await follow(path)
    // Working folders cannot be hidden.
    if (!writable.some((folder) => isWithin(folder, real))) plan.hide(real)
  }
  for (const path of sockets) {
    const real = await follow(path)
    // With network access, the system's list also holds sockets of commands that still run.
    if (!profile.network || !roots.some((root) => isWithin(real, root))) plan.hide(real)
  }
  return plan.finish()
}

function isThere(path: string): boolean {
  const found = look(path)
  return found !== undefined && !isPlaceholder(path, found)
}

/** Resolves names in each root. Absolute paths are returned as given and without links. */
async function inFolders(paths: readonly string[], roots: readonly string[]): Promise<readonly string[]> {
  if (roots.length === 0) return []
  const folders = new Map<string, string>()
  const all: string[] = []
  for (const path of paths) {
    if (!isAbsolute(path)) {
      all.push(...roots.map((root) => join(root, path)))
      continue
    }
    const above = dirname(path)
    const folder = folders.get(above) ?? (await follow(above))
    folders.set(above, folder)
    const real = join(folder, basename(path))
    all.push(path, look(real)?.isSymbolicLink() === true ? await follow(real) : real)
  }
  return all
}
