import { join } from 'node:path'
import { globFolder } from '../../globs/compile-glob.ts'
import { foldCase } from './case-folding.ts'
import { globMatches, nameTest } from './glob-matches.ts'
import type { Paths } from './paths.ts'
import { dottedNames, reasonToAsk } from './protected.ts'

interface AskedByGlob {
  /** Absolute. Includes the glob itself. */
  readonly paths: readonly string[]
  /** Whether every file that matches the glob was looked up. */
  readonly isAll: boolean
}

interface GlobReading {
  /** `*` also matches names that begin with a dot. */
  readonly hidden: boolean
  /** Look up the files that exist now. */
  readonly looks: boolean
}

/**
 * The paths that an absolute glob may match and pipe asks about before a write: existing files, and protected names that the
 * command might create.
 */
export async function askedByGlob(
  glob: string,
  paths: Paths,
  { hidden, looks }: GlobReading,
): Promise<AskedByGlob> {
  const own = paths.own()
  const places = [...own.folders, ...own.targets]
  const [written, real] = await paths.both(globFolder(glob))
  const spellings = new Set([glob, join(real, glob.slice(written === '/' ? 0 : written.length))])
  const matches = looks ? await globMatches(glob, paths, hidden) : undefined
  const found = matches?.found.filter((path) => reasonToAsk('edit', [path], own) !== undefined) ?? []
  const named = [...spellings].flatMap((one) => spelledOut(one, places, hidden))
  return { paths: [...spellings, ...named, ...found], isAll: matches !== undefined }
}

/** Returns the glob with its segments replaced by each protected name that they may match. */
function spelledOut(glob: string, places: readonly string[], hidden: boolean): readonly string[] {
  const segments = glob.split('/')
  // Compares names the way case-insensitive file systems do.
  const expected = segments.map((segment) => nameTest(foldCase(segment), hidden))
  const replaced = (name: string, at: number): readonly string[] => {
    const names = name.split('/')
    if (!names.every((one, i) => expected[at + i]?.(foldCase(one)) === true)) return []
    return [[...segments.slice(0, at), name, ...segments.slice(at + names.length)].join('/')]
  }
  return [
    ...places.flatMap((place) => replaced(place, 0)),
    ...dottedNames.flatMap((name) => segments.flatMap((_, at) => replaced(name, at))),
  ]
}
