import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { look } from '../files/look.ts'
import { isWithin } from '../path.ts'
import { follow, isStandIn } from './access.ts'

/** Where git keeps what belongs to a work tree, and what all work trees of its repository share. Without symlinks. */
interface Repository {
  readonly folder: string
  readonly shared: string
}

/** The repository that a `.git` is, or that it names; `undefined` where it does neither, or where the `.git` lies in what it names. */
export async function repositoryAt(path: string): Promise<Repository | undefined> {
  const found = look(path)
  if (found === undefined || isStandIn(path, found)) return undefined
  const folder = await (found.isFile() ? namedBy(path) : follow(path))
  const top = await follow(dirname(path))
  if (folder === undefined || !isRepository(folder, top)) return undefined
  const common = readStart(join(folder, 'commondir'))?.trim()
  const shared = common === undefined ? folder : await follow(resolve(folder, common))
  return isRepository(shared, top) ? { folder, shared } : undefined
}

/** Whether it may be one of files that begin at `top`: a `.git` that names what it lies in would have all of that protected. */
function isRepository(folder: string, top: string): boolean {
  return !isWithin(top, folder) && look(join(folder, 'HEAD')) !== undefined
}

/** What the `.git` file of a work tree or a submodule names. */
async function namedBy(file: string): Promise<string | undefined> {
  const [, where] = /^gitdir: *(.+)$/m.exec(readStart(file) ?? '') ?? []
  return where === undefined ? undefined : follow(resolve(dirname(file), where.trim()))
}

/** `undefined` where no file is. */
function readStart(file: string): string | undefined {
  if (look(file)?.isFile() !== true) return undefined
  try {
    return readFileSync(file, 'utf8').slice(0, 8_192)
  } catch {
    return undefined
  }
}
