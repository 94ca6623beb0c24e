import type { Pathspec, TrackedWalk } from '../command-line.ts'
import { hasOption, readArguments } from './options.ts'

/** What git shows of tracked files, wherever it runs. */
export type Shown = Omit<TrackedWalk, 'path' | 'compared'>

export const everything: Shown = { pathspecs: [], words: [] }

/** Only what these words name, which are paths whatever they look like. */
export function limitedTo(words: readonly string[]): Shown {
  return { pathspecs: words.map(readPathspec), words: [] }
}

/** What is to be left out. */
export const exclusion: RegExp = /^:(\/?[!^]|\((top,)?exclude\))/

/** A path with the signs before it by which git takes it otherwise. What they say beside where it begins is not looked into. */
function readPathspec(word: string): Pathspec {
  const [signs = '', long = ''] = /^:(?:\(([^)]*)\)|[/!^]*:?)/.exec(word) ?? []
  return {
    text: word.slice(signs.length),
    isFromRoot: /(^|,)top(,|$)/.test(long) || /^:[!^]*\//.test(signs),
    isExcluded: exclusion.test(word),
  }
}

/** The path of `HEAD:path`, `:path` and `:0:path`: one file of a revision, or of what is to be committed. */
export function readObject(word: string): Pathspec | undefined {
  const found = /^(?:[^:{}]|@\{[^{}:]*\})*:(?:[0-3]:)?(?![/!^(])([^:]+)$/.exec(word)?.[1]
  if (found === undefined || found.includes('..')) return undefined
  // `./` is meant from where git runs, all else from the root.
  return { text: found, isFromRoot: !found.startsWith('./'), isExcluded: false }
}

/** Options that have git take more paths than stand there, or show more than is at them. */
const widening = ['--full-diff', '--stdin', '--pathspec-from-file', '--submodule']

/** Options that stand for revisions. */
const adding =
  '--all --branches --tags --remotes --glob --reflog --bisect --merge --alternate-refs --indexed-objects'.split(
    ' ',
  )

/**
 * What a command is limited to that takes revisions and then paths. `fewest`: it shows just these where it is given no other than
 * files of revisions, and at least so many; default: it takes none.
 */
export function limitsOf(args: readonly string[], fewest?: number): Shown {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const given = readArguments(before)
  if (hasOption(given, '', widening)) return everything
  const words = operandsOf(before)
  const isBehind = end !== -1 && end < args.length - 1
  const named = fewest === undefined ? [] : (words ?? before).filter((word) => inRevision.test(word))
  if (fewest !== undefined && named.length > 0) {
    const objects = named.flatMap((word) => readObject(word) ?? [])
    const isAlone = !isBehind && !hasOption(given, '', adding)
    const areAll = isAlone && objects.length === words?.length && objects.length >= fewest
    return areAll ? { pathspecs: objects, words: [] } : everything
  }
  if (isBehind) return limitedTo(args.slice(end + 1))
  // It may be a search for a commit, or a path from the root.
  if (words === undefined || words.some((word) => word.startsWith(':/'))) return everything
  return {
    pathspecs: words.filter((word) => signed.test(word)).map(readPathspec),
    words: words.filter((word) => !signed.test(word)),
  }
}

/** A path that no revision looks like. */
const signed = /^:[!^(]/
/** What may stand for a file of a revision, whatever paths stand beside it. */
const inRevision = /^(?!:[!^(]).*:/s

/** Letters of the options of git's diff and log whose value may be the next word. */
const valued = 'SGLOIln'

/** Their long options that take no value; behind any other, a word may be its value. */
const bare =
  /^--(no-[\w-]+|cached|staged|merge-base|stat|shortstat|numstat|summary|raw|name-only|name-status|compact-summary|patch|patch-with-stat|binary|check|color|color-words|word-diff|oneline|graph|all|branches|tags|remotes|decorate|reverse|follow|merges|first-parent|cc|function-context|ignore-all-space|ignore-space-change|ignore-space-at-eol|ignore-blank-lines|minimal|patience|histogram|find-renames|find-copies|full-index|abbrev-commit|text|exit-code|quiet|topo-order|date-order|left-right|root|stdout|ext-diff|textconv|recursive)$/

/** The words that are no options and no values of one; `undefined` where that is not known. */
export function operandsOf(args: readonly string[]): readonly string[] | undefined {
  const isKnown = args.every(
    (arg) => !arg.startsWith('--') || arg.includes('=') || arg === '--' || bare.test(arg),
  )
  return isKnown ? readArguments(args, valued).operands : undefined
}
