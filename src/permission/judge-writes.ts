import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { FileUse, JudgedLine } from './command-line.ts'
import type { Finding } from './finding.ts'
import type { JudgeContext } from './judge-context.ts'
import { askedByGlob } from './paths/asked-by-glob.ts'
import type { Paths } from './paths/paths.ts'
import { isKeptIn, reasonToAsk, reasonToAskAlways } from './paths/protected.ts'

/** The files that redirects write to, or why one of them may not be edited. */
export type Redirects = Result<readonly (string | undefined)[]>

/** Judges redirects as edits of their target files. */
export async function judgeRedirects(
  line: JudgedLine,
  { rules, paths, accepts }: JudgeContext,
): Promise<Redirects> {
  // The certain targets if the line is plain; otherwise all possible ones.
  const files = line.plain?.flatMap((command) => command.files) ?? line.files
  const written = redirectsIn(files).map(({ path }) => path)
  const usable = rules.allow.filter(({ tool }) => tool === 'edit')
  for (const path of written) {
    if (path === undefined) return refused('it writes to an unknown file')
    if (path === '/dev/null') continue
    const both = await paths.both(path)
    const covered = both.every((one) => usable.some((rule) => rule.path.matches(one)))
    if (!covered && !(accepts && (await paths.isInside(both)))) return refused(`it writes to ${path}`)
  }
  return ok(written)
}

function redirectsIn(files: readonly FileUse[]): readonly FileUse[] {
  return files.filter(({ access, by }) => access === 'write' && by === 'redirect')
}

/** Globs per line to look up. */
const mostGlobs = 100

/** Returns the reasons to ask about a line's writes, and the first written path that no sandbox protects. */
export async function judgeDestinations(
  line: JudgedLine,
  paths: Paths,
): Promise<Pick<Finding, 'danger' | 'caution' | 'exposed'>> {
  const hidden = showsHidden(line)
  let caution: string | undefined
  let exposed: Pick<Finding, 'caution' | 'exposed'> | undefined
  let left = mostGlobs
  for (const { path, glob } of [...redirectsIn(line.files), ...line.destinations]) {
    if (path === undefined) continue
    const maybe = glob
      ? await askedByGlob(path, paths, { hidden, looks: left-- > 0 })
      : { paths: [path], isAll: true }
    if (!maybe.isAll) caution ??= `${path} may match more files than pipe checks`
    for (const one of maybe.paths) {
      const both = await paths.both(one)
      const always = reasonToAskAlways(both, paths.own())
      if (always !== undefined) return { danger: `${one} ${always}` }
      const reason = reasonToAsk('edit', both, paths.own())
      if (reason === undefined) continue
      const isKept = both.every((each) => isKeptIn(paths.roots, each, paths.own()))
      if (!isKept) exposed ??= { caution: `${one} ${reason}`, exposed: one }
      caution ??= `${one} ${reason}`
    }
  }
  return exposed ?? omitUndefined({ caution })
}

/** Whether the line may set `dotglob`, so that globs also match hidden files. */
function showsHidden({ reachable }: JudgedLine): boolean {
  return reachable.some(
    ({ name, words }) => words.includes('dotglob') || (name === 'shopt' && words.includes(undefined)),
  )
}
