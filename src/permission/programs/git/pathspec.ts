import type { Pathspec, TrackedWalk } from '../../command-line.ts'
import { hasOption, splitArguments } from '../program-arguments.ts'
import { areOptionsKnown } from '../program-options.ts'

/** The tracked files that git shows, independent of the folder it runs in. */
export type ShownFiles = Omit<TrackedWalk, 'path' | 'compared'>

export const allTracked: ShownFiles = { pathspecs: [], words: [] }

/** Limits what git shows to these words, which are always pathspecs. */
export function limitedTo(words: readonly string[]): ShownFiles {
  return { pathspecs: words.map(readPathspec), words: [] }
}

/** A pathspec that excludes files. */
export const exclusion: RegExp = /^:(\/?[!^]|\((top,)?exclude\))/

/** Reads a word as a pathspec. Considers only the magic words `top` and `exclude`. */
function readPathspec(word: string): Pathspec {
  const [signs = '', long = ''] = /^:(?:\(([^)]*)\)|[/!^]*:?)/.exec(word) ?? []
  return {
    text: word.slice(signs.length),
    isFromRoot: /(^|,)top(,|$)/.test(long) || /^:[!^]*\//.test(signs),
    isExcluded: exclusion.test(word),
  }
}

/** The path in `HEAD:path`, `:path` or `:0:path`: a file of a revision or of the index. */
export function readObject(word: string): Pathspec | undefined {
  const found = /^(?:[^:{}]|@\{[^{}:]*\})*:(?:[0-3]:)?(?![/!^(])([^:]+)$/.exec(word)?.[1]
  if (found === undefined || found.includes('..')) return undefined
  // `./` starts at the folder git runs in, everything else at the root.
  return { text: found, isFromRoot: !found.startsWith('./'), isExcluded: false }
}

/** Options that take paths from elsewhere, or show more than the given paths. */
const widening = ['--full-diff', '--stdin', '--pathspec-from-file', '--submodule']

/** Options that stand for revisions. */
const adding =
  '--all --branches --tags --remotes --glob --reflog --bisect --merge --alternate-refs --indexed-objects'.split(
    ' ',
  )

/**
 * The limits of a command that takes revisions, then paths. `fewest`: it shows only the given `REV:path` files if there are at
 * least this many and no other operands. Default: it takes none.
 */
export function limitsOf(args: readonly string[], fewest?: number): ShownFiles {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const given = splitArguments(before)
  if (hasOption(given, '', widening)) return allTracked
  const words = operandsOf(before)
  const isBehind = end !== -1 && end < args.length - 1
  const named = fewest === undefined ? [] : (words ?? before).filter((word) => inRevision.test(word))
  if (fewest !== undefined && named.length > 0) {
    const objects = named.flatMap((word) => readObject(word) ?? [])
    const isAlone = !isBehind && !hasOption(given, '', adding)
    const areAll = isAlone && objects.length === words?.length && objects.length >= fewest
    return areAll ? { pathspecs: objects, words: [] } : allTracked
  }
  if (isBehind) return limitedTo(args.slice(end + 1))
  // `:/` may search for a commit or name a path from the root.
  if (words === undefined || words.some((word) => word.startsWith(':/'))) return allTracked
  return {
    pathspecs: words.filter((word) => signed.test(word)).map(readPathspec),
    words: words.filter((word) => !signed.test(word)),
  }
}

/** A pathspec that cannot be a revision. */
const signed = /^:[!^(]/
/** May be a file of a revision, which paths do not limit. */
const inRevision = /^(?!:[!^(]).*:/s

/** Letters of diff and log options whose value may be the next word. */
const valued = 'SGLOIln'

/** Long options of diff and log that take no value. */
const bare = new Set(
  (
    'cached staged merge-base stat shortstat numstat summary raw name-only name-status compact-summary patch ' +
    'patch-with-stat binary check color color-words word-diff oneline graph all branches tags remotes ' +
    'decorate reverse follow merges first-parent cc function-context ignore-all-space ignore-space-change ' +
    'ignore-space-at-eol ignore-blank-lines minimal patience histogram find-renames find-copies full-index ' +
    'abbrev-commit text exit-code quiet topo-order date-order left-right root stdout ext-diff textconv ' +
    'recursive'
  ).split(' '),
)

/** The words that are neither options nor their values; `undefined` if that is uncertain. */
export function operandsOf(args: readonly string[]): readonly string[] | undefined {
  return areOptionsKnown(args, bare) ? splitArguments(args, valued).operands : undefined
}
