import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { followed } from '../files/real-path.ts'
import { isWithin } from '../text/path.ts'
import { batches } from './index-update.ts'
import type { Shadow } from './shadow.ts'

/**
 * Returns those of the absolute paths that exist but are not in the index: ignored, in a nested repository, too large or outside the
 * project. Makes those inside the project relative to its root.
 */
export async function findLeftAlone(shadow: Shadow, paths: ReadonlySet<string>): Promise<readonly string[]> {
  const there = [...paths].filter((path) => existsSync(path)).map(followed)
  const names = there.map((path) => (isWithin(path, shadow.root) ? relative(shadow.root, path) : path))
  const saved = new Set<string>()
  const env = { GIT_LITERAL_PATHSPECS: '1' }
  for (const batch of batches(names.filter((name) => !name.startsWith('/')))) {
    const listed = await shadow.git(['ls-files', '-z', '--', ...batch], { env })
    for (const name of listed.split('\0')) saved.add(name)
  }
  return [...new Set(names)].filter((name) => !saved.has(name)).sort()
}
