import { isPipeError } from '../../error.ts'
import { tagged } from '../records.ts'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from '../tree/index-update.ts'

interface Entering {
  /** Arguments of `ls-files` that exclude ignored paths. */
  readonly exclusions: readonly string[]
  /** How many more files may be saved. */
  readonly room: number
}

/** The files of nested repositories. */
interface Entered {
  /** Without those of repositories in them, which end with a slash. */
  readonly files: readonly string[]
  /** Repositories with more files than there is room for. */
  readonly tooLarge: readonly string[]
}

/** The output of `git hash-object -t blob /dev/null`: the object need not exist. */
const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/**
 * Lists the files of repositories inside of the folder, the smallest first, until there is no more room. Git walks into a repository
 * as into a plain folder once the index holds one of its files: see `docs/decisions/0063-nested-repositories.md`.
 */
export async function listRepositories(
  shadow: Shadow,
  repositories: readonly string[],
  { exclusions, room }: Entering,
): Promise<Entered> {
  const files: string[] = []
  const tooLarge: string[] = []
  let left = room
  const listed = await listFiles(shadow, repositories, { exclusions, room: 10 * room })
  if (listed === undefined) return { files, tooLarge: repositories }
  const bySize = repositories.map((name) => listed.get(name) ?? []).sort((a, b) => a.length - b.length)
  const names = new Map([...listed].map(([name, found]) => [found, name]))
  for (const found of bySize) {
    left -= found.length
    if (left >= 0) files.push(...found)
    else tooLarge.push(names.get(found) ?? '')
  }
  return { files, tooLarge: tooLarge.sort() }
}

/** The files of each repository; `undefined` if there are more than ten times too many. */
async function listFiles(
  shadow: Shadow,
  repositories: readonly string[],
  { exclusions, room }: Entering,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const files = new Map<string, string[]>(repositories.map((name) => [name, []]))
  const placeholders = repositories.map((name) => `${name}.pipe-entered`)
  try {
    for (const batch of pathBatches(placeholders)) {
      const entries = batch.flatMap((path) => ['--cacheinfo', `100644,${emptyBlob},${path}`])
      await shadow.git(['update-index', '--add', ...entries])
    }
    for (const batch of pathBatches(repositories)) {
      const listed = await shadow.git(['ls-files', '-z', '-t', '-o', ...exclusions, '--', ...batch], {
        env: { GIT_LITERAL_PATHSPECS: '1' },
        maxRecords: room,
      })
      for (const [, path] of tagged(listed)) {
        const name = batch.find((one) => path.startsWith(one) && path !== one)
        if (name !== undefined) files.get(name)?.push(path)
      }
    }
    return files
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'too_many') throw error
    return undefined
  } finally {
    for (const batch of pathBatches(placeholders))
      await shadow.git(['update-index', '--force-remove', '--', ...batch])
  }
}
