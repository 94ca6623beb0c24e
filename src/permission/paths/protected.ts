import { isWithin } from '../../machine/path.ts'
import { foldCase } from './case-folding.ts'
import type { OwnPlaces } from './paths.ts'
import { protectedNames } from './protected-names.ts'

const folders: ReadonlySet<string> = new Set([...protectedNames.folders, ...protectedNames.shortFolders])
const files: ReadonlySet<string> = new Set(protectedNames.files)
const otherFolders: ReadonlySet<string> = new Set(protectedNames.otherFolders)
const otherFiles: ReadonlySet<string> = new Set(protectedNames.otherFiles)

/** Protected names and paths that begin with a dot. A glob matches one only if it spells the dot, so a match is deliberate. */
export const dottedNames: readonly string[] = [
  ...[...folders, ...files, ...otherFolders, ...otherFiles].filter((name) => name.startsWith('.')),
  ...protectedNames.otherPaths,
]

/**
 * The reason to ask before opening a path, worded to follow the path; `undefined` for an ordinary file. `paths`: the path as
 * written and with its symlinks followed.
 */
export function reasonToAsk(
  access: 'read' | 'edit',
  paths: readonly string[],
  own: OwnPlaces,
): string | undefined {
  if (access === 'read') return paths.some((path) => holdsKeys(path, own)) ? 'holds keys' : undefined
  if (paths.some((path) => isProtected(path) || isBelow(path, own.targets))) return 'decides what runs later'
  return paths.some((path) => isBelow(path, own.folders))
    ? "belongs to pipe's settings and records"
    : undefined
}

/**
 * Whether writing to this path can change what later runs unasked. Judges by name only, so it also covers files that do not
 * exist yet. Compares names as the most lenient file systems do.
 */
function isProtected(path: string): boolean {
  const names = namesOf(path)
  const ends = [1, 2, 3].map((count) => names.slice(-count).join('/'))
  return (
    placeOfName(names) !== -1 ||
    names.some((name) => otherFolders.has(name)) ||
    ends.some((end) => otherFiles.has(end)) ||
    protectedNames.otherPaths.some((one) => `${names.join('/')}/`.includes(`/${one}/`))
  )
}

/**
 * Whether a sandbox keeps a protected path unchanged, even if it does not exist yet: pipe's own files, and protected names
 * directly in one of these folders.
 */
export function isKeptIn(folders: readonly string[], path: string, own: OwnPlaces): boolean {
  if (isBelow(path, own.folders)) return true
  const names = namesOf(path)
  const place = placeOfName(names)
  const parent = names.slice(0, place).join('/')
  return place !== -1 && folders.some((folder) => namesOf(folder).join('/') === parent)
}

/** Index of the first protected name; -1 if there is none. */
function placeOfName(names: readonly string[]): number {
  return names.findIndex((name, i) => folders.has(name) || (i === names.length - 1 && files.has(name)))
}

function namesOf(path: string): readonly string[] {
  const names = foldCase(path).split('/')
  return names.map((name) => name.replace(/::?\$.*$|[\s.]+$/g, '') || name)
}

/** Whether a path is one of these or lies below one, ignoring case. */
function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => isWithin(foldCase(path), foldCase(place)))
}

/**
 * The reason to ask in every mode before a write, worded to follow the path: text in memories reaches later conversations.
 * `undefined` for other files. `paths` as for `reasonToAsk`.
 */
export function reasonToAskAlways(paths: readonly string[], own: OwnPlaces): string | undefined {
  return paths.some((path) => isBelow(path, own.memories))
    ? 'holds memories, which only the user keeps'
    : undefined
}

/** Whether this is a key file. Ignores case. */
export function holdsKeys(path: string, { keys }: OwnPlaces): boolean {
  return keys.some((key) => foldCase(key) === foldCase(path))
}
