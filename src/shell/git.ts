import { hasOption, readArguments } from './options.ts'

type Check = (args: readonly string[]) => boolean

const always: Check = () => true

/** Options that make a list of the names beside them. */
const listing = /^(-\w*l\w*|--(list|contains|no-contains|merged|no-merged|points-at))$/

/** Only these options, and names only where they are listed. */
function lists(options: RegExp): Check {
  return (args) => {
    const { options: given, operands } = readArguments(args)
    return (
      given.every((one) => options.test(one)) &&
      (operands.length === 0 || given.some((one) => listing.test(one)))
    )
  }
}

const first =
  (pattern: RegExp): Check =>
  ([word = '']) =>
    pattern.test(word)

/** Subcommands that only read, with what their arguments must be. */
const subcommands: Readonly<Record<string, Check>> = {
  status: always,
  log: always,
  diff: always,
  show: always,
  blame: always,
  shortlog: always,
  'rev-parse': always,
  'rev-list': always,
  'ls-files': always,
  'ls-tree': always,
  'cat-file': always,
  'merge-base': always,
  'name-rev': always,
  'for-each-ref': always,
  'show-ref': always,
  'show-branch': always,
  'count-objects': always,
  'diff-tree': always,
  'diff-index': always,
  'diff-files': always,
  'check-ignore': always,
  whatchanged: always,
  describe: always,
  grep: (args) => !args.some((arg) => /^-[A-Za-z]*[Of]/.test(arg)),
  branch: lists(
    /^(-[avrl]+|--(list|all|remotes|verbose|show-current|contains|no-contains|merged|no-merged|points-at|sort|format|column|no-column|color|no-color|ignore-case))$/,
  ),
  tag: lists(
    /^(-[ln]+\d*|--(list|contains|no-contains|merged|no-merged|points-at|sort|format|column|no-column|color|no-color|ignore-case))$/,
  ),
  remote: (args) =>
    args.every((arg) => /^(-v|--verbose)$/.test(arg)) || (args[0] === 'get-url' && args.length <= 3),
  config: (args) => {
    const [action = '', ...more] = args.filter(
      (arg) => !/^--(global|local|system|worktree|show-origin|show-scope|null|includes)$|^-z$/.test(arg),
    )
    if (/^(-l|--list|list)$|^[\w-]+\..*\w$/.test(action)) return more.length === 0
    return (
      /^(--get|--get-all|--get-regexp|get)$/.test(action) &&
      more.length <= 2 &&
      !more.some((arg) => arg.startsWith('-'))
    )
  },
  stash: first(/^(list|show)$/),
  reflog: (args) => args[0] === undefined || args[0] === 'show' || args[0].startsWith('-'),
  worktree: first(/^list$/),
  'symbolic-ref': (args) =>
    args.filter((arg) => !/^(-q|--quiet|--short)$/.test(arg)).length === 1 &&
    !args.some((arg) => /^(-d|--delete|-m)/.test(arg)),
}

const harmlessGlobals = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'])
const acting = [
  '--output',
  '--ext-diff',
  '--exec',
  '--open-files-in-pager',
  '--upload-pack',
  '--show-signature',
  '--filters',
  '--paginate',
  '--no-index',
  '--contents',
]

/** Files that git reads wherever they lie: to compare two, it needs no repository. All others it looks for in its own. */
export function gitOperands(args: readonly string[]): readonly string[] {
  const [subcommand, ...rest] = args.filter((arg) => !harmlessGlobals.has(arg))
  return subcommand === 'diff' ? readArguments(rest).operands : []
}

/** Whether these arguments make git read its repository and no more. What the repository's own configuration runs is not counted. */
export function readOnlyGit(args: readonly string[]): boolean {
  if (args.length === 1 && /^(-v|--version)$/.test(args[0] ?? '')) return true
  const at = args.findIndex((arg) => !harmlessGlobals.has(arg))
  const [subcommand = '', ...rest] = at === -1 ? [] : args.slice(at)
  if (!Object.hasOwn(subcommands, subcommand)) return false
  if (rest.some((arg) => arg.includes('%G'))) return false
  const given = readArguments(rest)
  // `--text` is an option of its own and also the beginning of `--textconv`.
  if (hasOption(given, '', acting) || given.options.some((one) => /^--textc/.test(one))) return false
  return subcommands[subcommand]?.(rest) === true
}
