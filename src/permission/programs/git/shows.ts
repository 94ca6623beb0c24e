import { byName } from '../by-name.ts'
import type { ShownByGit } from '../program.ts'
import { hasOption, splitArguments } from '../program-arguments.ts'
import { areOptionsKnown } from '../program-options.ts'
import { bareSearchOptions, searchedFolders } from '../search-walks.ts'
import { fieldsOf, valuesAfter } from '../word-fields.ts'
import { allTracked, limitedTo, limitsOf, operandsOf, readObject, type ShownFiles } from './pathspec.ts'
import { gitPlace } from './runs.ts'

type Showing = (args: readonly string[]) => ShownFiles | undefined

/** Shows everything if this option is given. */
const withOption =
  (long: string, short?: RegExp): Showing =>
  (args) => {
    const given = splitArguments(args)
    const shows = hasOption(given, '', [long]) || given.options.some((one) => short?.test(one))
    return shows ? allTracked : undefined
  }

/** Selects changes one by one. The excluded letters take a value, so a `p` after them is no option. */
const choosing = withOption('--patch', /^-[^-mFCctSbBsu]*p/)
const verbose = withOption('--verbose', /^-[^-mFCctSu]*v/)
const resuming = withOption('--show-current-patch')

/** By subcommand: the tracked files whose contents it shows with these arguments; `undefined` if none. */
const showing = byName<Showing>({
  show: (args) => {
    // A file of a revision is always shown, whatever the diff options are.
    const hasObject = args.some((arg) => !arg.startsWith('-') && readObject(arg) !== undefined)
    return hasObject || showsPatch(args, true) ? limitsOf(args, 1) : undefined
  },
  diff: (args) => (showsPatch(args, true) ? limitsOf(args, 2) : undefined),
  difftool: (args) => limitsOf(args, 2),
  'log whatchanged reflog': (args) => (showsPatch(args, false) ? limitsOfLog(args) : undefined),
  'diff-tree': (args) => (showsPatch(args, false) ? limitsOf(args, 2) : undefined),
  'diff-index diff-files': (args) => (showsPatch(args, false) ? limitsOf(args) : undefined),
  'format-patch fast-export': (args) => limitsOf(args),
  'range-diff send-email merge-tree unpack-file': () => allTracked,
  stash: ([verb = '', ...more]) => {
    if (!/^(show|list)$/.test(verb)) return choosing([verb, ...more])
    // Without options, `stash show` prints a summary; with options it formats a diff.
    const byDefault = verb === 'show' && more.some((one) => one.startsWith('-'))
    return showsPatch(more, byDefault) ? allTracked : undefined
  },
  grep: found,
  'cat-file': printed,
  archive: (args) => limitedTo((operandsOf(args) ?? []).slice(1)),
  'checkout-index': (args) => {
    if (hasOption(splitArguments(args), 'a', ['--all', '--stdin'])) return allTracked
    const paths = operandsOf(args)
    return paths?.length === 0 ? undefined : limitedTo(paths ?? [])
  },
  'add checkout restore reset request-pull': choosing,
  commit: (args) => choosing(args) ?? verbose(args),
  status: verbose,
  'am rebase': resuming,
})

/** Returns the tracked files that a call of git shows. */
export function filesShown(args: readonly string[]): ShownByGit {
  const { folders, rest } = gitPlace(args)
  const [subcommand = '', ...own] = rest
  const isComparing = /^diff(tool)?$/.test(subcommand)
  const given = splitArguments(own)
  const operands = operandsOf(own) ?? given.operands
  // One glob may expand to two paths.
  const mayBeTwo = operands.length > 1 || operands.some((one) => /[*?[]/.test(one))
  return {
    shown: showing.get(subcommand)?.(own),
    isUntracked:
      args.includes('grep') && args.some((arg) => /^(--(no-i|unt|recurse)|grep\.fallback)/i.test(arg)),
    folders,
    compared: isComparing && mayBeTwo ? operands : [],
    isAnywhere: isComparing && hasOption(given, '', ['--no-index']),
  }
}

/** Options that print a diff, or search in one. */
const patches =
  '--patch --patch-with-stat --patch-with-raw --unified --binary --cc --dd --remerge-diff --diff-merges --check --no-quiet'.split(
    ' ',
  )
/** Options that replace the diff with a summary. */
const summaries =
  /^(-s|--(no-patch|quiet|raw|stat|shortstat|numstat|dirstat|dirstat-by-file|cumulative|summary|name-only|name-status|compact-summary))$/

function showsPatch(args: readonly string[], byDefault: boolean): boolean {
  const given = splitArguments(args)
  if (hasOption(given, 'puUcGSL', patches)) return true
  return byDefault && !given.options.some((one) => summaries.test(one))
}

/** `log -L` shows only the files that it names. */
function limitsOfLog(args: readonly string[]): ShownFiles {
  const lines = valuesAfter(fieldsOf(args), /^-L/)
  if (lines.length === 0) return limitsOf(args)
  return limitedTo(lines.map((value) => value?.replace(/^.*:/s, '') ?? ''))
}

function found(args: readonly string[]): ShownFiles {
  const end = args.indexOf('--')
  const valued = 'eABCmf'
  if (end === -1) return { pathspecs: [], words: searchedFolders(args, valued) }
  const before = args.slice(0, end)
  const { options, operands } = splitArguments(before, valued)
  const hasPattern = operands.length > 0 || options.some((one) => /^-[a-zA-Z]*[ef]/.test(one))
  return hasPattern && areOptionsKnown(before, bareSearchOptions)
    ? limitedTo(args.slice(end + 1))
    : allTracked
}

/** Names of commits and folders, which print names only. */
const noFile = /^(HEAD|@)[~^\d]*$|\^\{(commit|tree|tag)\}$/

function printed(args: readonly string[]): ShownFiles | undefined {
  const given = splitArguments(args)
  const { options, operands } = given
  if (options.some((one) => /^--b/.test(one) && one !== '--batch-check')) return allTracked
  const prints = operands[0] === 'blob' || hasOption(given, 'p', ['--textconv', '--filters'])
  const [object = ''] = operands.slice(operands[0] === 'blob' ? 1 : 0)
  if (!prints || noFile.test(object)) return undefined
  const pathspec = readObject(object)
  return pathspec === undefined ? allTracked : { pathspecs: [pathspec], words: [] }
}
