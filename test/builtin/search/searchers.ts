import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { ripgreps } from '../../../src/builtin/search/ripgrep.ts'

const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'rg'))

const isThere = (program: string): boolean => {
  try {
    return execFileSync(program, ['--version']).length > 0
  } catch {
    return false
  }
}

/** The packaged ripgrep. */
export const packaged = (await ripgreps()).slice(0, -1).filter(isThere)

/** Any ripgrep to compare with. */
export const ripgrep = [...packaged, ...onPath].find(isThere)

/** The ways to search: the programs to use (none for JavaScript), and whether they are missing here. */
export const searchers = [
  { name: 'JavaScript', ripgreps: [], missing: false },
  { name: 'the packaged ripgrep', ripgreps: packaged, missing: packaged.length === 0 },
  { name: 'the ripgrep of this machine', ripgreps: onPath.filter(isThere), missing: !onPath.some(isThere) },
]
