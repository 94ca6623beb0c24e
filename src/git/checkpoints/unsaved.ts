import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { look } from '../../files/look.ts'
import type { TreeChange } from '../tree/tree-diff.ts'

/**
 * Files that changes would overwrite but no tree holds, because they are ignored, too large or unreadable: git would replace them.
 * Paths are relative to the root.
 */
export function findUnsaved(root: string, changes: readonly TreeChange[]): readonly string[] {
  const leaving = new Set(changes.flatMap((change) => (change.new === undefined ? [change.path] : [])))
  const arriving = changes.filter((change) => change.old === undefined)
  const found = new Set(arriving.flatMap(({ path }) => inTheWay(root, path, leaving)))
  return [...found].sort()
}

function inTheWay(root: string, path: string, leaving: ReadonlySet<string>): readonly string[] {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end)
    const stats = look(join(root, folder))
    if (stats === undefined) return []
    if (!stats.isDirectory()) return leaving.has(folder) ? [] : [folder]
  }
  const stats = look(join(root, path))
  if (stats === undefined) return []
  if (!stats.isDirectory()) return [path]
  return filesBelow(root, path).filter((file) => !leaving.has(file))
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}
