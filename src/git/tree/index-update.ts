import { join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { look } from '../../files/look.ts'
import { isMarked } from '../../files/mount-placeholder.ts'
import type { SaveLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import type { ModeNotes } from './file-modes.ts'

/**
 * Updates the index to these paths in batches, and the mode notes with them. Removes paths that do not exist. Returns the paths that
 * had to be left out.
 */
export async function addAll(
  shadow: Shadow,
  paths: readonly string[],
  { fileBytes, notes }: Pick<SaveLimits, 'fileBytes'> & { readonly notes: ModeNotes },
): Promise<readonly string[]> {
  const leftOut: string[] = []
  const absent: string[] = []
  const isBulk = paths.length > 100 && (await shadow.packsAtOnce())
  const settings = isBulk ? ['core.bigFileThreshold=1', 'pack.compression=1'] : []
  const take = async (some: readonly string[]): Promise<void> => {
    await shadow.git(['update-index', '--add', '--remove', '--replace', '--', ...some], { settings })
  }
  for (const batch of pathBatches(paths)) {
    const fitting: string[] = []
    for (const path of batch) {
      const there = look(join(shadow.root, path))
      const found = there !== undefined && isMarked(there) ? undefined : there
      notes.note(path, found)
      if (!isText(path) || (found?.isFile() === true && found.size > fileBytes)) leftOut.push(path)
      else if (found === undefined) absent.push(path)
      else fitting.push(path)
    }
    leftOut.push(...(await halve(fitting, take)))
  }
  await forget(shadow, absent)
  return leftOut
}

/** Bisects to find the paths that git refuses (unreadable, or with a forbidden name), and adds all others. */
async function halve(
  paths: readonly string[],
  take: (paths: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  if (paths.length === 0) return []
  try {
    await take(paths)
    return []
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'exit') throw error
    if (paths.length === 1) return paths
    const middle = Math.ceil(paths.length / 2)
    return [...(await halve(paths.slice(0, middle), take)), ...(await halve(paths.slice(middle), take))]
  }
}

/** Removes paths from the index, whether or not it has them. */
export async function forget(shadow: Shadow, paths: readonly string[]): Promise<void> {
  for (const batch of pathBatches(paths.filter(isText))) {
    await shadow.git(['update-index', '--force-remove', '--', ...batch])
  }
}

/** Characters of paths that fit on a command line along with its other arguments. */
const batchLimit = 100_000

/** Splits paths into batches that fit on a command line. */
export function* pathBatches(paths: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let left = batchLimit
  for (const path of paths) {
    left -= path.length + 1
    if (left < 0 || batch.length === 1_000) {
      yield batch
      batch = []
      left = batchLimit - path.length - 1
    }
    batch.push(path)
  }
  if (batch.length > 0) yield batch
}

/** Whether a name decoded without loss. Names in another encoding cannot be passed to git. */
function isText(path: string): boolean {
  return !path.includes('\uFFFD')
}
