import type { FileUse, JudgedLine } from '../command-line.ts'
import { present } from '../present.ts'
import type { Finding, Rules } from './finding.ts'
import type { Paths } from './paths.ts'
import { isKeptIn, reasonToAsk } from './protected.ts'

export interface Writes {
  /** What is written to without anything that allows it. */
  readonly refused: string | undefined
  /** Whether nothing is written to by a redirect. */
  readonly isEmpty: boolean
}

export interface RedirectJudgment {
  readonly rules: Rules
  readonly paths: Paths
  /** Edits are accepted. */
  readonly accepts: boolean
}

/** Judges redirects as what they are: edits of files. */
export async function judgeRedirects(
  line: JudgedLine,
  { rules, paths, accepts }: RedirectJudgment,
): Promise<Writes> {
  const written = redirectedTo(line)
  const usable = rules.allow.filter(({ tool }) => tool === 'edit')
  for (const path of written) {
    if (path === undefined) return { refused: 'it writes to a file that is not known', isEmpty: false }
    if (path === '/dev/null') continue
    const both = await paths.both(path)
    const covered = both.every((one) => usable.some((rule) => rule.path.matches(one)))
    if (!covered && !(accepts && (await paths.isInside(both))))
      return { refused: `it writes to ${path}`, isEmpty: false }
  }
  return { refused: undefined, isEmpty: written.length === 0 }
}

/** What is certain where the line is plain; else all that may be. */
function redirectedTo({ plain, files }: JudgedLine): readonly (string | undefined)[] {
  return redirectsIn(plain?.flatMap((command) => command.files) ?? files)
}

function redirectsIn(files: readonly FileUse[]): readonly (string | undefined)[] {
  return files.flatMap(({ path, access, by }) => (access === 'write' && by === 'redirect' ? [path] : []))
}

/** Why a person is asked about what a line writes to, and where no sandbox keeps it as it is. */
export async function judgeDestinations(
  line: JudgedLine,
  paths: Paths,
): Promise<Pick<Finding, 'caution' | 'exposed'>> {
  let caution: string | undefined
  for (const path of [...redirectsIn(line.files), ...line.destinations]) {
    if (path === undefined) continue
    const both = await paths.both(path)
    const reason = reasonToAsk('edit', both, paths.own())
    if (reason === undefined) continue
    const isKept = both.every((one) => isKeptIn(paths.roots, one, paths.own()))
    if (!isKept) return { caution: `${path} ${reason}`, exposed: path }
    caution ??= `${path} ${reason}`
  }
  return present({ caution })
}
