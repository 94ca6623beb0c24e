import { basename, dirname, join } from 'node:path'
import { isSurvivable } from '../../error.ts'
import type { Workspace } from '../workspace.ts'
import { rowPath } from '../workspace.ts'
import { readableNames } from './readable-names.ts'
import { twinAdvice, twinsOf } from './twin.ts'

const shown = 3

/** Tells the model that a path does not exist, and suggests the most similar names in its folder. */
export async function missingFile(workspace: Workspace, path: string, signal: AbortSignal): Promise<string> {
  const missing = `${rowPath(workspace, path)} does not exist`
  const folder = dirname(path)
  try {
    const { artifacts } = workspace
    const real = await artifacts.realPath(folder, { signal })
    const all = await artifacts.listDir(folder, { signal })
    const names = readableNames(workspace, { path: folder, real }, all)
    if (names.includes(basename(path))) return `${rowPath(workspace, path)} is a symbolic link to nothing`
    const twins = twinsOf(basename(path), names)
    if (twins.length > 0) return `${missing}; ${twinAdvice(twins)}`
    const near = nearestNames(basename(path), names)
    if (near.length === 0) return `${missing}; use glob to find it`
    return `${missing}; did you mean ${near.map((name) => rowPath(workspace, join(folder, name))).join(', ')}?`
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return `${missing}, nor does its folder; use glob to find it`
  }
}

function nearestNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase()
  const farthest = Math.max(1, wanted.length / 3)
  return names
    .map((candidate) => ({
      candidate,
      distance: distance(wanted, candidate.replace('/', '').toLowerCase(), farthest),
    }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, shown)
    .map(({ candidate }) => candidate)
}

/**
 * The Levenshtein distance, except that a name inside the other is one step away (`user.ts` in `my-user.ts`). Skips names whose
 * lengths differ by more than `farthest`, since a folder may have very many.
 */
function distance(a: string, b: string, farthest: number): number {
  if (a === b) return 0
  if (b.includes(a) || a.includes(b)) return 1
  if (Math.abs(a.length - b.length) > farthest) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
