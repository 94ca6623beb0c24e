import { dirname } from 'node:path'
import { isWithin } from '../../machine/path.ts'
import { foldCase } from './case-folding.ts'
import type { Paths } from './paths.ts'

/** Directory entries to look at in a folder. One with more counts as a repository. */
const mostEntries = 2_000

/**
 * Whether git finds the same repository, if any, in a folder as in the folder that pipe works in: the folder lies below it, and
 * neither it nor a folder on the way begins another one.
 */
export async function isSameRepository(folder: string, paths: Paths): Promise<boolean> {
  if (folder === paths.cwd) return true
  const [[, real], [, top]] = await Promise.all([paths.both(folder), paths.both(paths.cwd)])
  if (!isWithin(real, top)) return false
  for (let at = real; at !== top; at = dirname(at)) {
    if (!(await paths.isFolder(at)) || (await mayBeRepository(at, paths))) return false
  }
  return true
}

/** A work tree has an entry `.git`, a bare repository a `HEAD`. */
async function mayBeRepository(folder: string, paths: Paths): Promise<boolean> {
  const entries = await paths.list(folder, mostEntries)
  return entries.length === mostEntries || entries.some(({ name }) => /^(\.git|head)$/.test(foldCase(name)))
}
