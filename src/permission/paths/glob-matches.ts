import { dirname, join } from 'node:path'
import { globFolder, hasWildcard, matchesAny } from '../../globs/compile-glob.ts'
import type { Paths } from './paths.ts'

/** Directory entries to read for one glob. */
const mostNames = 2_000

/** The files that a glob matches now. */
export interface GlobMatches {
  /** Whether anything matches. */
  readonly isAny: boolean
  /** Real paths of all matches. */
  readonly found: readonly string[]
  /** Real paths of the matches that were reached through a symlink. */
  readonly linked: readonly string[]
  /** A matching name begins with a dash, so a command may take it for an option. */
  readonly dashed: boolean
}

interface FoundPath {
  readonly real: string
  readonly isLinked: boolean
}

/**
 * Looks up the matches of an absolute glob; may find more than bash would. `undefined` if there are too many entries; no matches
 * if the folder does not exist. `hidden`: `*` also matches names that begin with a dot.
 */
export async function globMatches(
  glob: string,
  paths: Paths,
  hidden = true,
): Promise<GlobMatches | undefined> {
  const base = globFolder(glob)
  const [written, real] = await paths.both(base)
  let level: readonly FoundPath[] = [{ real, isLinked: written !== real }]
  let left = mostNames
  let dashed = false
  const segments = glob.slice(base === '/' ? 1 : base.length + 1).split('/')
  for (const segment of segments) {
    const answers = hasWildcard(segment) ? nameTest(segment, hidden) : undefined
    const found: FoundPath[] = []
    // Before bash 5.2, `.*` also matches the folder above.
    const leaves = /^\.(?!\[[\w-]+\])/.test(segment) && answers?.('..') === true
    for (const path of level) {
      if (leaves) found.push({ real: dirname(path.real), isLinked: true })
      const entries = answers === undefined ? [{ name: segment }] : await paths.list(path.real, left + 1)
      left -= entries.length
      if (left < 0) return undefined
      for (const entry of entries) {
        if (answers?.(entry.name) === false) continue
        dashed ||= answers !== undefined && entry.name.startsWith('-')
        found.push(await follow(path, entry, paths))
      }
    }
    level = found
  }
  const linked = level.filter(({ isLinked }) => isLinked).map((path) => path.real)
  return { isAny: level.length > 0, found: level.map((path) => path.real), linked, dashed }
}

async function follow(
  { real: folder, isLinked }: FoundPath,
  { name, isLink = true }: { readonly name: string; readonly isLink?: boolean },
  paths: Paths,
): Promise<FoundPath> {
  const path = join(folder, name)
  if (!isLink) return { real: path, isLinked }
  const [, real] = await paths.both(path)
  return { real, isLinked: isLinked || real !== path }
}

/** Returns a test for names that a segment of a glob may match. `hidden`: `*` also matches names that begin with a dot. */
export function nameTest(segment: string, hidden: boolean): (name: string) => boolean {
  const matches = matchesAny(readings(segment))
  return (name) => (hidden || !name.startsWith('.') || segment.startsWith('.')) && matches(name)
}

/** Globs for every name that a segment may match, whichever letters were quoted. A set that holds other signs may be any text. */
function readings(segment: string): readonly string[] {
  const [open, close] = [segment.indexOf('['), segment.lastIndexOf(']')]
  if (open === -1 || close <= open + 1) return [withoutSets(segment)]
  const set = segment.slice(open + 1, close)
  const [head, tail] = [withoutSets(segment.slice(0, open)), withoutSets(segment.slice(close + 1))]
  return /^\w+$/.test(set) ? [`${head}[${set}]${tail}`, `${head}\\[${set}\\]${tail}`] : [`${head}*${tail}`]
}

function withoutSets(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&')
}
