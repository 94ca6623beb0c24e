import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { look } from '../files/look.ts'
import { isWithin } from '../machine/path.ts'
import { follow, isPlaceholder } from './path-access.ts'

/** The git folder of a work tree, and the one that all work trees of the repository share. Without symlinks. */
interface Repository {
  readonly folder: string
  readonly shared: string
}

/** The repository that a `.git` is or names; `undefined` if there is none, or if the `.git` lies inside what it names. */
export async function repositoryAt(path: string): Promise<Repository | undefined> {
  const found = look(path)
  if (found === undefined || isPlaceholder(path, found)) return undefined
  const folder = await (found.isFile() ? namedBy(path) : follow(path))
  const top = await follow(dirname(path))
  if (folder === undefined || !isRepository(folder, top)) return undefined
  const common = readStart(join(folder, 'commondir'))?.trim()
  const shared = common === undefined ? folder : await follow(resolve(folder, common))
  return isRepository(shared, top) ? { folder, shared } : undefined
}

/**
 * Whether this is the git folder of a work tree at `top`. A `.git` that names a folder around it would protect that whole folder.
 */
function isRepository(folder: string, top: string): boolean {
  return !isWithin(top, folder) && look(join(folder, 'HEAD')) !== undefined
}

/** The folder that the `.git` file of a work tree or a submodule names. */
async function namedBy(file: string): Promise<string | undefined> {
  const [, where] = /^gitdir: *(.+)$/m.exec(readStart(file) ?? '') ?? []
  return where === undefined ? undefined : follow(resolve(dirname(file), where.trim()))
}

/** Reads the first 8 KiB; `undefined` if there is no readable file. */
function readStart(file: string): string | undefined {
  if (look(file)?.isFile() !== true) return undefined
  try {
    return readFileSync(file, 'utf8').slice(0, 8_192)
  } catch {
    return undefined
  }
}
