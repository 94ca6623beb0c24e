import { join } from 'node:path'
import { globFolder, hasWildcard, matchesAny } from '../globs/compile-glob.ts'
import type { FileUse, FolderWalk, TrackedWalk } from './command-line.ts'
import type { Paths } from './paths/paths.ts'
import type { Rule } from './rules/rule.ts'
import { comparedFolders, shownFiles } from './tracked-file-check.ts'

/** Directory entries to look at for one folder that a command walks. */
export const mostNames = 20_000

/**
 * The files that match a read rule: below the folders that the line walks, at most one each, or shown by git. `path` is
 * `undefined` if there are too many files or the working folder is gone.
 */
export async function walkedFiles(
  walks: readonly (FolderWalk | TrackedWalk)[],
  rules: readonly Rule[],
  paths: Paths,
): Promise<readonly FileUse[]> {
  const held = rules.filter(({ tool }) => tool === 'read')
  if (held.length === 0 || walks.length === 0) return []
  const isLost = !(await paths.isFolder(paths.cwd))
  const tracked = walks.filter((walk) => 'pathspecs' in walk)
  const shown = await shownFiles(tracked, held, paths)
  const below = [...walks.filter((walk) => 'hidden' in walk), ...(await comparedFolders(tracked, paths))]
  const found = await Promise.all(
    below.map(async (asked) => {
      const walk = { ...asked, hidden: asked.hidden || (await letsInHidden(asked.path, paths)) }
      const reached = held.filter(({ path }) => walk.hidden || !namesHidden(path.text))
      if (reached.length === 0) return []
      const path = isLost ? undefined : await firstBelow(walk, reached, paths)
      return path === none ? [] : [{ path, access: 'read', glob: false, by: 'walk' } as const]
    }),
  )
  return [...found.flat(), ...shown]
}

const none = Symbol('nothing there that a rule is about')

async function firstBelow(walk: FolderWalk, rules: readonly Rule[], paths: Paths) {
  const [written, root] = await paths.both(hasWildcard(walk.path) ? globFolder(walk.path) : walk.path)
  const isMeant = (path: string) => rules.some((rule) => rule.path.matches(path))
  const wanted = matching(walk.names)
  const isLeftOut = { file: matching(walk.exceptFiles), folder: matching(walk.exceptFolders) }
  const folders = ['']
  let left = mostNames
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await paths.list(join(root, folder), left + 1)
    left -= entries.length
    if (left < 0) return undefined
    for (const { name, isLink, isFolder } of entries) {
      if (isLink || (!walk.hidden && name.startsWith('.'))) continue
      if (isLeftOut[isFolder ? 'folder' : 'file']?.(name)) continue
      const path = join(folder, name)
      if (isFolder) folders.push(path)
      const isRead = isFolder ? wanted === undefined : (wanted?.(name) ?? true)
      if (isRead && (isMeant(join(root, path)) || isMeant(join(written, path)))) return join(root, path)
    }
  }
  return none
}

/** Whether an ignore file may make `rg` read hidden files: one in the folder, or where `rg` runs. */
async function letsInHidden(folder: string, paths: Paths): Promise<boolean> {
  const places = await Promise.all(
    [folder, paths.cwd].map(async (one) => paths.list((await paths.both(one))[1], mostNames)),
  )
  return places.flat().some(({ name }) => /^\.(rg)?ignore$/.test(name))
}

function matching(globs: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  return globs && matchesAny(globs)
}

/** Whether a rule matches only hidden names, or names in hidden folders. */
function namesHidden(text: string): boolean {
  return /(^|\/)\.[^./]/.test(text) && !text.includes('{')
}
