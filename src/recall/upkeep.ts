import { join } from 'node:path'
import { type PatientLockOptions, waitForLock } from '../files/lock/lock.ts'
import type { SessionId } from '../id.ts'
import { IndexFolder, type IndexSnapshot } from './folder.ts'
import { cutJournal } from './journal.ts'
import { type Kept, mergeSources } from './merge-segments.ts'
import { Joiner } from './segment-catalog.ts'

/** Documents that a segment grows to by merging. A larger one takes longer to merge, more of them longer to search. */
export const segmentDocuments = 1_000

/** Runs work as the only writer of an index, in a folder that exists. Throws `conflict` if another holds it for too long. */
export async function whileIndexLocked(
  folder: string,
  options: PatientLockOptions,
  work: () => Promise<void>,
): Promise<void> {
  const lock = await waitForLock(join(folder, 'lock'), options)
  try {
    await work()
  } finally {
    lock.release()
  }
}

/**
 * Moves the journal into a segment, together with smaller segments, and removes the documents that no longer count and those of
 * sessions that are gone. The caller holds the lock.
 */
export async function tidyIndex(
  path: string,
  isGone: (id: SessionId) => boolean,
  pause: () => Promise<void>,
): Promise<void> {
  const folder = new IndexFolder(path)
  for (;;) {
    const snapshot = folder.read()
    try {
      await folder.commit(await rewrite(folder, snapshot, { isGone, pause }))
      await cutJournal(path, snapshot.journal.size)
      return
    } catch (error) {
      folder.noteFault(error)
    }
  }
}

interface Rewriting {
  isGone(id: SessionId): boolean
  pause(): Promise<void>
}

/** Writes what changes. Returns the names of all segments, oldest first. */
async function rewrite(folder: IndexFolder, snapshot: IndexSnapshot, { isGone, pause }: Rewriting) {
  const living = livingDocuments(snapshot, isGone)
  const kept = snapshot.sources.map((source, i): Kept => {
    const numbers = living[i] ?? new Set()
    return { source, keeps: (number) => numbers.has(number) }
  })
  const sizes = living.map(({ size }) => size)
  const from = mergedFrom(sizes)
  const names: string[] = []
  for (const [i, { name, source }] of snapshot.segments.slice(0, from).entries()) {
    const one = kept[i]
    if (sizes[i] === source.documents.length) names.push(name)
    else if (one !== undefined && sizes[i] !== 0)
      names.push(await folder.write(await mergeSources([one], pause)))
  }
  const merged = sizes.slice(from).some((size) => size > 0)
  return merged ? [...names, await folder.write(await mergeSources(kept.slice(from), pause))] : names
}

/** Returns the numbers of the documents that count, for each source. */
function livingDocuments({ sources }: IndexSnapshot, isGone: (id: SessionId) => boolean) {
  const { owners } = new Joiner(sources)
  return sources.map(({ documents }, i) => {
    const living = documents.flatMap(({ id }, number) =>
      owners[i]?.[number] === -1 || isGone(id) ? [] : [number],
    )
    return new Set(living)
  })
}

/** Returns the first source to merge with the journal, the last: segments at most as large as what they are merged with. */
function mergedFrom(sizes: readonly number[]): number {
  let from = sizes.length - 1
  let total = sizes[from] ?? 0
  for (let next = sizes[from - 1]; next !== undefined; next = sizes[from - 1]) {
    if (next > total || total + next > segmentDocuments) break
    from -= 1
    total += next
  }
  return from
}
