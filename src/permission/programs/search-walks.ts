import { expandBraces } from '../../globs/braces.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Walk } from '../command-line.ts'
import { hasOption, readArguments } from './arguments.ts'
import { areOptionsKnown } from './options.ts'
import type { WalkedFolders } from './program.ts'

/** Names that the braces of a glob may stand for. A glob with more is not analyzed. */
const mostNames = 64

export const everything: Walk = { hidden: true }

/** `rg` skips hidden files, unless an option or an including glob overrides that. */
export function filterWalk(args: readonly string[]): WalkedFolders | undefined {
  const { values, rest } = takeValues(args, /^(-g|--i?glob)(?:=?(.+))?$/s)
  const valued = 'eABCmtTfjMErdg'
  const given = readArguments(rest, valued)
  if (given.options.includes('--files')) return undefined
  const isOut = (glob: string) => glob.startsWith('!')
  const names = values.filter((glob) => !isOut(glob))
  const hidden =
    names.length > 0 || hasOption(given, '.ug', ['--hidden', '--unrestricted', '--glob', '--iglob'])
  const except = narrow(values.filter(isOut).map((glob) => glob.slice(1)))
  return {
    folders: searched(rest, valued),
    walk: { hidden, ...onlyOr(names, omitUndefined({ exceptFiles: except, exceptFolders: except })) },
  }
}

export function grepWalk(args: readonly string[]): WalkedFolders {
  const included = takeValues(args, /^(--include)(?:=(.+))?$/s)
  const files = takeValues(included.rest, /^(--exclude)(?:=(.+))?$/s)
  const folders = takeValues(files.rest, /^(--exclude-dir)(?:=(.+))?$/s)
  const valued = 'eABCmdDf'
  const except = omitUndefined({ exceptFiles: narrow(files.values), exceptFolders: narrow(folders.values) })
  return {
    folders: searched(folders.rest, valued),
    walk: { hidden: true, ...onlyOr(included.values, except) },
  }
}

/** A file name with an extension, or any name with this extension. Other globs are not analyzed. */
const simple = /^[\w.*?-]*\.\w+$/

/** The last matching glob decides, so exclusions only count if nothing is included. */
function onlyOr(names: readonly string[], except: Omit<Walk, 'hidden' | 'names'>): Omit<Walk, 'hidden'> {
  if (names.length === 0) return except
  const only = names
    .flatMap((glob) => expandBraces(glob, { most: mostNames }) ?? [glob])
    .map((glob) => glob.split('/').at(-1) ?? '')
  return only.every((glob) => simple.test(glob)) ? { names: only } : {}
}

function narrow(globs: readonly string[]): readonly string[] | undefined {
  const plain = globs.filter((glob) => /^[\w.*?-]+$/.test(glob))
  return plain.length === 0 ? undefined : plain
}

/** Removes an option and its values, in the same word or the next, from a command's words. */
function takeValues(args: readonly string[], option: RegExp) {
  const values: string[] = []
  const rest: string[] = []
  for (let i = 0; i < args.length; i++) {
    const [found, , value] = option.exec(args[i] ?? '') ?? []
    if (found === undefined) rest.push(args[i] ?? '')
    else values.push(value ?? args[++i] ?? '')
  }
  return { values, rest }
}

export function orHere(folders: readonly string[]): readonly string[] {
  return folders.length === 0 ? ['.'] : folders
}

/** Long options of a search that take no value. */
export const bareSearchOptions: ReadonlySet<string> = new Set(
  (
    'recursive dereference-recursive line-number ignore-case smart-case case-sensitive fixed-strings ' +
    'extended-regexp perl-regexp basic-regexp word-regexp line-regexp invert-match only-matching ' +
    'with-filename quiet silent null null-data text count count-matches files-with-matches ' +
    'files-without-match hidden unrestricted heading column multiline pcre2 json vimgrep pretty follow stats ' +
    'trim byte-offset line-buffered binary'
  ).split(' '),
)

/**
 * The folders that a search reads: the operands after the pattern, or all if an option holds the pattern. Adds `.` if there may
 * be none.
 */
export function searched(args: readonly string[], valued: string): readonly string[] {
  const { options, operands } = readArguments(args, valued)
  const givesPattern = options.some((option) => {
    if (option.startsWith('--')) return /^--(regexp|file)$/.test(option)
    return /[ef]/.test([...option.slice(1)].find((letter) => valued.includes(letter)) ?? '')
  })
  const folders = givesPattern ? operands : operands.slice(1)
  return folders.length === 0 || !areOptionsKnown(args, bareSearchOptions) ? [...folders, '.'] : folders
}
