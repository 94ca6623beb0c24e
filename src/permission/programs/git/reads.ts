import { byName } from '../by-name.ts'
import { hasOption, splitArguments } from '../program-arguments.ts'
import { fieldsOf, valuesAfter } from '../word-fields.ts'
import { exclusion } from './pathspec.ts'

type Check = (args: readonly string[]) => boolean

const always: Check = () => true

/** Options that make git list the names beside them. */
const listing = /^(-\w*l\w*|--(list|contains|no-contains|merged|no-merged|points-at))$/
const listOptions =
  /^--(list|contains|no-contains|merged|no-merged|points-at|sort|format|column|no-column|color|no-color|ignore-case)$/

/** Accepts only these options and those of lists, and accepts names only with a listing option. */
function lists(options: RegExp): Check {
  return (args) => {
    const { options: given, operands } = splitArguments(args, '', valued)
    return (
      given.every((one) => options.test(one) || listOptions.test(one)) &&
      (operands.length === 0 || given.some((one) => listing.test(one)))
    )
  }
}

/** Listing options whose value is always the next word. */
const valued = /^--(sort|format|points-at|(no-)?(contains|merged))$/

const first =
  (pattern: RegExp): Check =>
  ([word = '']) =>
    pattern.test(word)

/** Subcommands that only read, each with a check of its arguments. */
const subcommands = byName<Check>({
  'status log diff show blame shortlog rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev':
    always,
  'for-each-ref show-ref show-branch count-objects diff-tree diff-index diff-files check-ignore check-attr':
    always,
  'cherry version whatchanged describe': always,
  grep: (args) => !args.some((arg) => /^-[A-Za-z]*[Of]/.test(arg)),
  branch: lists(/^(-[avrl]+|--(all|remotes|verbose|show-current))$/),
  tag: lists(/^-[ln]+\d*$/),
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
  reflog: ([verb]) => verb === undefined || verb === 'show' || verb.startsWith('-'),
  worktree: first(/^list$/),
  submodule: first(/^status$/),
  'symbolic-ref': (args) =>
    args.filter((arg) => !/^(-q|--quiet|--short)$/.test(arg)).length === 1 &&
    !args.some((arg) => /^(-d|--delete|-m)/.test(arg)),
})

const harmlessGlobals = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'])
/** Settings that only change how git prints. */
const harmlessSetting =
  /^(color\.[\w.-]+=\w+|core\.(quotepath|abbrev)=\w+|core\.pager=cat|(log|blame)\.(date|decorate)=\w+|(advice|column)\.\w+=\w+|diff\.(noprefix|renames|renamelimit|context|mnemonicprefix)=\w+)$/i
const acting =
  '--help --output --ext-diff --exec --open-files-in-pager --upload-pack --show-signature --filters --paginate --no-index --contents'.split(
    ' ',
  )

/**
 * `--textconv`, which must not match `--text`. `--submodule=diff` runs git with the submodule's configuration, even if the folder
 * no longer looks like a submodule.
 */
const diverting = /^--(textc|sub[a-z]*=d)/

/** Options whose value is a file that git may read from anywhere. */
const readingOptions = /^(-[A-Za-z]*?[OX]|--(exclude-f|ignore-revs)[a-z-]*)/
const readingInBlame = /^(-[A-Za-z]*?[OXS]|--ignore-revs[a-z-]*)/

/** Files that git may read from anywhere: the values of options, and operands of `diff`, which needs no repository. */
export function gitOperands(args: readonly string[]): readonly string[] {
  const [subcommand, ...rest] = withoutGlobals(args)
  const reading = subcommand === 'blame' ? readingInBlame : readingOptions
  const given = valuesAfter(fieldsOf(rest), reading).filter((value) => value !== undefined)
  return subcommand === 'diff' ? [...splitArguments(rest).operands, ...given] : given
}

/** Subcommands that print file names but no contents. */
const naming = byName<Check>({
  'check-ignore check-attr ls-files': always,
  status: (args) => !hasOption(splitArguments(args), 'v', ['--verbose']),
})

/** Words that include every operand whose contents a read-only git prints. */
export function gitContents(args: readonly string[]): readonly string[] {
  const [subcommand = '', ...rest] = withoutGlobals(args)
  return naming.get(subcommand)?.(rest) ? gitOperands(args) : args.filter((arg) => !exclusion.test(arg))
}

function withoutGlobals(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length) {
    if (harmlessGlobals.has(args[at] ?? '')) at++
    else if (args[at] === '-c' && harmlessSetting.test(args[at + 1] ?? '')) at += 2
    else break
  }
  return args.slice(at)
}

/** Whether git runs gpg to check a signature: through a `%G` format, or a `signature` field of a reference. */
function verifies(subcommand: string, args: readonly string[]): boolean {
  const ofReferences = /^(for-each-ref|branch|tag)$/.test(subcommand)
  return args.some((arg) => /%[-+ ]?G/.test(arg) || (ofReferences && arg.includes('signature')))
}

/** Whether git only reads its repository, apart from programs that the repository's configuration runs. */
export function readOnlyGit(args: readonly string[]): boolean {
  if (args.length === 1 && /^(-v|--version)$/.test(args[0] ?? '')) return true
  const [subcommand = '', ...rest] = withoutGlobals(args)
  if (verifies(subcommand, rest)) return false
  const given = splitArguments(rest)
  if (hasOption(given, '', acting) || rest.some((one) => diverting.test(one))) return false
  return subcommands.get(subcommand)?.(rest) === true
}
