import { escapeGlob, matchesAny } from '../globs/compile-glob.ts'
import { isWithin } from '../machine/path.ts'
import type { FileUse } from './command-line.ts'
import { linksLeadOnlyTo } from './linked-files.ts'
import { foldCase } from './paths/case-folding.ts'
import type { Paths } from './paths/paths.ts'

/** Whether a command that opens these files reaches a key file, including by walking a folder and following links there. */
export async function opensKeys(files: readonly FileUse[], paths: Paths): Promise<boolean> {
  const { keys } = paths.own()
  if (keys.length === 0) return false
  const holdsNone = async (target: string) => !keys.some((key) => isWithin(foldCase(key), foldCase(target)))
  for (const { path, access, glob, by } of files) {
    if (path === undefined || access !== 'read') continue
    if (by === 'links' && !glob && !(await linksLeadOnlyTo(holdsNone, path, paths))) return true
    const patterns = glob ? [path] : (await paths.both(path)).map(escapeGlob)
    const reached =
      by === 'tree' || by === 'links'
        ? patterns.flatMap((one) => [one, `${one.replace(/\/$/, '')}/**`])
        : patterns
    if (keys.some(matchesAny(reached, { ignoresCase: true }))) return true
  }
  return false
}
