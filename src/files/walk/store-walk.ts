import { join } from 'node:path'
import { isSurvivable, throwIfAborted } from '../../error.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import { readWalkPattern, type WalkPattern } from './walk-pattern.ts'

type Listing = Pick<ArtifactStore, 'listDir' | 'readFile'>

interface StoreWalkOptions {
  readonly signal: AbortSignal
  /** As for `walk`. */
  readonly pattern?: string | undefined
}

/**
 * Yields absolute paths of the files under a folder of any store, or of a file itself, each folder's in order. Skips `.git`; a store of its
 * own has no ignored files. Throws what the store throws, and `invalid` if the pattern is too large.
 */
export async function* walkStore(
  artifacts: Listing,
  root: string,
  { signal, pattern: text = '**' }: StoreWalkOptions,
): AsyncGenerator<string> {
  const pattern = readWalkPattern(text)
  const names = await namesIn(artifacts, root, signal)
  if (names === undefined) {
    // Throws for what is neither a folder nor a file.
    await artifacts.readFile(root, { maxBytes: 1, signal })
    yield root
    return
  }
  yield* below({ artifacts, root, pattern, signal }, '', names)
}

interface Walking {
  readonly artifacts: Listing
  readonly root: string
  readonly pattern: WalkPattern
  readonly signal: AbortSignal
}

async function* below(walking: Walking, folder: string, names: readonly string[]): AsyncGenerator<string> {
  const { artifacts, root, pattern, signal } = walking
  for (const name of names) {
    throwIfAborted(signal)
    const path = folder + name.replace(/\/$/, '')
    if (!name.endsWith('/')) {
      if (pattern.matches(path)) yield join(root, path)
    } else if (name !== '.git/' && pattern.reaches(path)) {
      const inside = await namesIn(artifacts, join(root, path), signal)
      yield* below(walking, `${path}/`, inside ?? [])
    }
  }
}

/** Returns the names in a folder; `undefined` if it is none, or gone. */
async function namesIn(
  artifacts: Listing,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    return await artifacts.listDir(path, { signal, followLinks: false })
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return undefined
  }
}
