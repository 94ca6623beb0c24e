import { isPipeError, PipeError, throwIfAborted } from '../../error.ts'
import { walkStore } from '../../files/walk/store-walk.ts'
import { walk } from '../../files/walk/walk.ts'
import { matchesAny } from '../../globs/compile-glob.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import type { SearchHit, SearchRequest } from './found-line.ts'
import { namesOfType, typesIn, unknownType } from './languages.ts'
import { lineExcerpt } from './line-excerpt.ts'
import { scriptPattern } from './script-pattern.ts'
import { openSearchThread } from './search-thread.ts'

const filesAhead = 8

/**
 * Searches with JavaScript's regular expressions, in the order of paths and lines. Skips files that contain NUL. Throws `invalid` for
 * an invalid regular expression and for an unknown type.
 */
export async function* scriptSearch(
  { artifacts, isElsewhere }: Pick<Workspace, 'artifacts' | 'isElsewhere'>,
  request: SearchRequest,
): AsyncGenerator<SearchHit> {
  const { signal, multiline, context, output } = request
  const counts = output !== 'lines'
  const { source, flags } = scriptPattern(request.pattern, request)
  const found = isElsewhere === true ? walkStore.bind(undefined, artifacts) : walk
  const paths = await pathsOf(request, found)
  const bounds = { maxMatches: limits.searchResults + 1, maxLine: limits.searchLine + 1 }
  const thread = openSearchThread({ source, flags, multiline, context, counts, ...bounds }, signal)
  try {
    for await (const { path, bytes } of readAhead(artifacts, paths.sort(byComponents), signal)) {
      const { matches, lines } = await thread.search(bytes)
      if (matches > 0 && lines.length === 0) yield { type: 'file', path, matches }
      for (const { number, before, rest, isMatch } of lines) {
        yield { type: 'line', path, number, text: lineExcerpt(before, rest), isMatch }
      }
    }
  } finally {
    await thread.close()
  }
}

async function pathsOf(
  { root, glob, type, isFolder, signal }: SearchRequest,
  files: typeof walk,
): Promise<string[]> {
  if (!isFolder) return [root]
  const types = typesIn(type ?? '')
  const names = types.length === 0 ? ['*'] : types.flatMap(namesOfKnown)
  const isWanted = matchesAny(names.map((name) => `**/${name}`))
  const paths: string[] = []
  for await (const path of files(root, { signal, pattern: glob })) {
    if (isWanted(path)) paths.push(path)
  }
  return paths
}

function namesOfKnown(type: string): readonly string[] {
  const names = namesOfType(type)
  if (names === undefined) throw new PipeError('invalid', unknownType(type))
  return names
}

/** Sorts by folder like ripgrep: `a/z` before `a.ts`. */
function byComponents(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const differs = left.findIndex((name, i) => name !== right[i])
  return (left[differs] ?? '') < (right[differs] ?? '') ? -1 : 1
}

interface ReadFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Yields files in order and reads a few ahead. Skips files that are gone or not readable. */
async function* readAhead(
  artifacts: ArtifactStore,
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<ReadFile> {
  const waiting: Promise<ReadFile | undefined>[] = []
  for (let i = 0; i < paths.length + filesAhead; i++) {
    throwIfAborted(signal)
    const path = paths[i]
    if (path !== undefined) waiting.push(readIfPossible(artifacts, path, signal))
    const file = i < filesAhead ? undefined : await waiting.shift()
    if (file !== undefined) yield file
  }
}

async function readIfPossible(
  artifacts: ArtifactStore,
  path: string,
  signal: AbortSignal,
): Promise<ReadFile | undefined> {
  try {
    const options = { maxBytes: limits.searchBytes, signal, followLinks: false }
    return { path, bytes: await artifacts.readFile(path, options) }
  } catch (error) {
    // The loop over the files checks for an abort itself.
    if (isPipeError(error)) return undefined
    throw error
  }
}
