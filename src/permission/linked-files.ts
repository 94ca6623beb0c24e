import { join } from 'node:path'
import type { Paths } from './paths/paths.ts'
import { mostNames } from './walked-files.ts'

/** Whether everything below a folder, links followed, lies in the project. False if there are too many files to check. */
export async function linksStayInside(folder: string, paths: Paths): Promise<boolean> {
  return linksLeadOnlyTo((target) => paths.isReadable([target]), folder, paths)
}

/** Whether this accepts the target of every link below a folder, links followed. False if there are too many files to check. */
export async function linksLeadOnlyTo(
  accepts: (target: string) => Promise<boolean>,
  folder: string,
  paths: Paths,
): Promise<boolean> {
  const [, root] = await paths.both(folder)
  const seen = new Set<string>()
  const folders = [root]
  let left = mostNames
  for (let real = folders.pop(); real !== undefined; real = folders.pop()) {
    if (seen.has(real)) continue
    seen.add(real)
    const entries = await paths.list(real, left + 1)
    left -= entries.length
    if (left < 0) return false
    for (const { name, isLink, isFolder } of entries) {
      const path = join(real, name)
      const [, target] = isLink ? await paths.both(path) : [path, path]
      if (isLink && !(await accepts(target))) return false
      if (isLink || isFolder) folders.push(target)
    }
  }
  return true
}
