import { join } from 'node:path'
import { folded } from './folded.ts'
import { globFolder } from './glob.ts'
import { globLeads, namesOf } from './glob-leads.ts'
import type { Paths } from './paths.ts'
import { dottedNames, reasonToAsk } from './protected.ts'

interface AskedByGlob {
  /** Absolute; the glob itself among them. */
  readonly paths: readonly string[]
  /** Whether all that answers to the glob was looked at. */
  readonly isAll: boolean
}

interface GlobReading {
  /** Names that begin with a dot answer to a star, too. */
  readonly hidden: boolean
  /** What is there is looked at. */
  readonly looks: boolean
}

/** Of the paths that an absolute glob may stand for all that a person is asked about: what is there, and what might come to be. */
export async function askedByGlob(
  glob: string,
  paths: Paths,
  { hidden, looks }: GlobReading,
): Promise<AskedByGlob> {
  const own = paths.own()
  const places = [...own.folders, ...own.targets]
  const [written, real] = await paths.both(globFolder(glob))
  const spellings = new Set([glob, join(real, glob.slice(written === '/' ? 0 : written.length))])
  const leads = looks ? await globLeads(glob, paths, hidden) : undefined
  const found = leads?.found.filter((path) => reasonToAsk('edit', [path], own) !== undefined) ?? []
  const named = [...spellings].flatMap((one) => spelledOut(one, places, hidden))
  return { paths: [...spellings, ...named, ...found], isAll: leads !== undefined }
}

/** The glob with protected names where it may stand for them. */
function spelledOut(glob: string, places: readonly string[], hidden: boolean): readonly string[] {
  const segments = glob.split('/')
  // As file systems compare names that know no case.
  const expected = segments.map((segment) => namesOf(folded(segment), hidden))
  const replaced = (name: string, at: number): readonly string[] => {
    const names = name.split('/')
    if (!names.every((one, i) => expected[at + i]?.(folded(one)) === true)) return []
    return [[...segments.slice(0, at), name, ...segments.slice(at + names.length)].join('/')]
  }
  return [
    ...places.flatMap((place) => replaced(place, 0)),
    ...dottedNames.flatMap((name) => segments.flatMap((_, at) => replaced(name, at))),
  ]
}
