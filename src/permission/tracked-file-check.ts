import { basename, dirname, join } from 'node:path'
import { hasWildcard, matchesAny } from '../globs/compile-glob.ts'
import { isWithin } from '../machine/path.ts'
import type { FileUse, FolderWalk, Pathspec, TrackedWalk } from './command-line.ts'
import type { Paths } from './paths/paths.ts'
import type { Rule } from './rules/rule.ts'

/** Folders per line to ask git about. */
const mostFolders = 8
/** Directory entries to search for a name. */
const mostNames = 20_000

/**
 * The files that git shows and these read rules are about: at most one per command and rule, as `word` if the command names it.
 * `path` is `undefined` if it is unknown which files git shows.
 */
export async function shownFiles(
  walks: readonly TrackedWalk[],
  rules: readonly Rule[],
  paths: Paths,
): Promise<readonly FileUse[]> {
  const folders = new Set(walks.flatMap(({ path }) => path ?? []))
  if (folders.size > mostFolders || walks.some(({ path }) => path === undefined)) return [use(undefined)]
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const repository = await repositoryAt(folder, rules, paths)
      const here = walks.filter(({ path }) => path === folder)
      return Promise.all(here.map((walk) => shownBy(walk, repository, paths)))
    }),
  )
  return found.flat(2)
}

/** The folders that git compares with everything below them, because one lies outside the repository or there is none. */
export async function comparedFolders(
  walks: readonly TrackedWalk[],
  paths: Paths,
): Promise<readonly FolderWalk[]> {
  const all = await Promise.all(
    walks.map(async ({ path, compared = [] }) => {
      if (path === undefined || compared.length === 0) return []
      const [, folder] = await paths.both(path)
      const repository = await paths.tracked(folder)
      const places = await Promise.all(compared.map((one) => paths.both(one)))
      const areInside =
        repository !== undefined && places.every((both) => both.some((one) => isWithin(one, repository.root)))
      return areInside ? [] : compared.map((one) => ({ path: one, hidden: true }))
    }),
  )
  return all.flat()
}

function use(path: string | undefined, by: FileUse['by'] = 'walk'): FileUse {
  return { path, access: 'read', glob: false, by }
}

interface Repository {
  /** The folder that git runs in, and the root of the work tree around it. Without symlinks. */
  readonly folder: string
  readonly root: string
  /** The tracked files that match each rule; `undefined` if git cannot list them. */
  readonly held: readonly (readonly string[])[] | undefined
}

async function repositoryAt(path: string, rules: readonly Rule[], paths: Paths): Promise<Repository> {
  const [, folder] = await paths.both(path)
  const { root, paths: tracked } = (await paths.tracked(folder)) ?? { root: folder, paths: [] }
  const all = tracked?.map((one) => join(root, one))
  return { folder, root, held: all && rules.map((rule) => all.filter((one) => rule.path.matches(one))) }
}

async function shownBy(walk: TrackedWalk, repository: Repository, paths: Paths): Promise<readonly FileUse[]> {
  const { held } = repository
  if (held === undefined) return [use(undefined)]
  if (held.every((files) => files.length === 0)) return []
  const { names, lets } = await limitsOf(walk, repository, paths)
  return held.flatMap((files) => {
    const named = files.find(names)
    const shown = named ?? files.find(lets)
    return shown === undefined ? [] : [use(shown, named === undefined ? 'walk' : 'word')]
  })
}

interface Limits {
  /** Whether git may show this file. */
  readonly lets: (path: string) => boolean
  /** Whether the command names exactly this file. */
  readonly names: (path: string) => boolean
}

async function limitsOf(
  { pathspecs, words }: TrackedWalk,
  repository: Repository,
  paths: Paths,
): Promise<Limits> {
  const asPaths = words.map((text): Pathspec => ({ text, isFromRoot: false, isExcluded: false }))
  const areThere = await Promise.all(asPaths.map((one) => isPath(one, repository, paths)))
  const all = [...pathspecs, ...asPaths.filter((_, i) => areThere[i])]
  const placed = (isExcluded: boolean) =>
    Promise.all(
      all.filter((one) => one.isExcluded === isExcluded).map((one) => pathsNamed(one, repository, paths)),
    )
  const included = (await placed(false)).flat()
  const excluded = await placed(true)
  const isIncluded = matchesAny(included.flatMap(withBelow), { crosses: true, ignoresCase: true })
  // Skip excludes with brackets: `withBelow` reads these as any text, which would exclude too much. Git follows no links here.
  const excludes = excluded.flatMap(([text]) => (/[[\\]/.test(text) ? [] : withBelow(text)))
  const isExcluded = matchesAny(excludes, { crosses: true })
  return {
    lets: (path) => !isExcluded(path) && (included.length === 0 || isIncluded(path)),
    names: (path) => !isExcluded(path) && included.includes(path),
  }
}

/** Whether git reads a word as a path. Git refuses a word that could also be a revision. */
async function isPath(word: Pathspec, repository: Repository, paths: Paths): Promise<boolean> {
  if (hasWildcard(word.text)) return !/[{}^@:~]/.test(word.text)
  const [, real] = await pathsNamed(word, repository, paths)
  if (await paths.isFolder(real)) return true
  const beside = await paths.list(dirname(real), mostNames)
  return beside.some(({ name }) => name === basename(real))
}

function pathsNamed({ text, isFromRoot }: Pathspec, { folder, root }: Repository, paths: Paths) {
  return paths.both(/^[/~]/.test(text) ? text : join(isFromRoot ? root : folder, text))
}

/** Globs for the files of a pathspec and everything below. Reads text from a bracket or backslash on as any text. */
function withBelow(text: string): readonly string[] {
  const pattern = text.replace(/[[\\].*$/s, '*').replace(/\/$/, '')
  return [pattern, `${pattern}/*`]
}
