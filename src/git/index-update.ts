import { join } from 'node:path'
import { isPipeError } from '../error.ts'
import { look } from '../files/look.ts'
import { isMarked } from '../files/stand-in.ts'
import type { Limits } from './limits.ts'
import type { ModeNotes } from './modes.ts'
import type { Shadow } from './shadow.ts'

/**
 * Takes what is to be saved into the index, a batch at a time, and its modes into the notes, and out of it what is not there; gives what
 * had to be left out.
 */
export async function addAll(
  shadow: Shadow,
  paths: readonly string[],
  { fileBytes, notes }: Pick<Limits, 'fileBytes'> & { readonly notes: ModeNotes },
): Promise<readonly string[]> {
  const leftOut: string[] = []
  const absent: string[] = []
  const isBulk = paths.length > 100 && (await shadow.packsAtOnce())
  const settings = isBulk ? ['core.bigFileThreshold=1', 'pack.compression=1'] : []
  const take = async (some: readonly string[]): Promise<void> => {
    await shadow.git(['update-index', '--add', '--remove', '--replace', '--', ...some], { settings })
  }
  for (const batch of batches(paths)) {
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

/** Finds the paths that git refuses, because they cannot be read or have a name that it forbids, and takes all others. */
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

/** Takes paths out of the index, whether they are in it or not. */
export async function forget(shadow: Shadow, paths: readonly string[]): Promise<void> {
  for (const batch of batches(paths.filter(isText))) {
    await shadow.git(['update-index', '--force-remove', '--', ...batch])
  }
}

/** So many characters of paths fit on a command line beside everything else. */
const batchRoom = 100_000

/** Paths in pieces that fit on a command line. */
export function* batches(paths: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let room = batchRoom
  for (const path of paths) {
    room -= path.length + 1
    if (room < 0 || batch.length === 1_000) {
      yield batch
      batch = []
      room = batchRoom - path.length - 1
    }
    batch.push(path)
  }
  if (batch.length > 0) yield batch
}

/** A name in another encoding cannot be handed to git. */
function isText(path: string): boolean {
  return !path.includes('\uFFFD')
}
