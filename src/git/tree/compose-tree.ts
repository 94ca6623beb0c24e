import { join } from 'node:path'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from './index-update.ts'
import type { TreeChange } from './tree-diff.ts'

/** The index used to compose trees that differ from the files on disk. */
export function composingIndex({ path }: Shadow): string {
  return join(path, 'restore')
}

/** Writes a tree with the new state of these paths. `composingIndex` holds it too. */
export async function composeTree(
  shadow: Shadow,
  tree: string,
  changes: readonly Pick<TreeChange, 'path' | 'new'>[],
): Promise<string> {
  const aside = { index: composingIndex(shadow) }
  await shadow.git(['read-tree', tree], aside)
  const gone = changes.flatMap((change) => (change.new === undefined ? [change.path] : []))
  for (const batch of pathBatches(gone)) {
    await shadow.git(['update-index', '--force-remove', '--', ...batch], aside)
  }
  const there = changes.flatMap(({ path, new: wanted }) =>
    wanted === undefined ? [] : [`${wanted.mode},${wanted.id},${path}`],
  )
  for (const batch of pathBatches(there)) {
    const entries = batch.flatMap((entry) => ['--cacheinfo', entry])
    await shadow.git(['update-index', '--add', '--replace', ...entries], aside)
  }
  return (await shadow.git(['write-tree'], aside)).trim()
}
