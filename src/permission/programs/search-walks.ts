import { expandBraces } from '../../globs/braces.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Walk } from '../command-line.ts'
import type { WalkedFolders } from './program.ts'
import { hasOption, splitArguments } from './program-arguments.ts'
import { areOptionsKnown } from './program-options.ts'

/** Names that the braces of a glob may stand for. A glob with more is not analyzed. */
const mostNames = 64

/** Reads every file, hidden ones included. */
export const allFiles: Walk = { hidden: true }

/**
 * The walk of `rg` and `ag`, which skip hidden files unless an option or an including glob overrides that; `undefined` if they only
 * list names.
 */
export function ripgrepWalk(args: readonly string[]): WalkedFolders | undefined {
  const globs = takeValues(args, /^(?:-g|--i?glob)(?:=?(.+))?$/s)
  const valued = 'eABCmtTfjMErdg'
  const given = splitArguments(globs.rest, valued)
  if (given.options.includes('--files')) return undefined
  const names = globs.values.filter((glob) => !isExcluding(glob))
  const except = globs.values.filter(isExcluding).map((glob) => glob.slice(1))
  const showsHidden = hasOption(given, '.ug', ['--hidden', '--unrestricted', '--glob', '--iglob'])
  return {
    folders: searchedFolders(globs.rest, valued),
    walk: {
      hidden: names.length > 0 || showsHidden,
      ...selectFiles(names, { exceptFiles: except, exceptFolders: except }),
    },
  }
}

function isExcluding(glob: string): boolean {
  return glob.startsWith('!')
}

export function grepWalk(args: readonly string[]): WalkedFolders {
  const names = takeValues(args, /^--include(?:=(.+))?$/s)
  const files = takeValues(names.rest, /^--exclude(?:=(.+))?$/s)
  const folders = takeValues(files.rest, /^--exclude-dir(?:=(.+))?$/s)
  const except = { exceptFiles: files.values, exceptFolders: folders.values }
  return {
    folders: searchedFolders(folders.rest, 'eABCmdDf'),
    walk: { hidden: true, ...selectFiles(names.values, except) },
  }
}

/** The walk of `ack`: the folders after the pattern, or the current one. */
export function ackWalk(args: readonly string[]): WalkedFolders {
  const folders = splitArguments(args).operands.slice(1)
  return { folders: folders.length === 0 ? ['.'] : folders, walk: allFiles }
}

/** A file name with an extension, or any name with this extension. Other globs are not analyzed. */
const simple = /^[\w.*?-]*\.\w+$/

/**
 * Selects files by including globs, or else by excluding ones: the last matching glob decides, so exclusions only count if nothing is
 * included. Globs that are not analyzed select every file.
 */
function selectFiles(
  names: readonly string[],
  { exceptFiles, exceptFolders }: Required<Pick<Walk, 'exceptFiles' | 'exceptFolders'>>,
): Omit<Walk, 'hidden'> {
  if (names.length === 0) {
    const [files, folders] = [analyzed(exceptFiles), analyzed(exceptFolders)]
    return omitUndefined({ exceptFiles: files, exceptFolders: folders })
  }
  const only = names
    .flatMap((glob) => expandBraces(glob, { most: mostNames }) ?? [glob])
    .map((glob) => glob.split('/').at(-1) ?? '')
  return only.every((glob) => simple.test(glob)) ? { names: only } : {}
}

/** The excluding globs that are analyzed; `undefined` if none is. */
function analyzed(globs: readonly string[]): readonly string[] | undefined {
  const plain = globs.filter((glob) => /^[\w.*?-]+$/.test(glob))
  return plain.length === 0 ? undefined : plain
}

interface TakenValues {
  readonly values: readonly string[]
  /** The other words. */
  readonly rest: readonly string[]
}

/** Takes an option and its values out of a command's words. The first group of `option` is a value in the same word. */
function takeValues(args: readonly string[], option: RegExp): TakenValues {
  const values: string[] = []
  const rest: string[] = []
  let awaitsValue = false
  for (const arg of args) {
    const match: RegExpExecArray | null = awaitsValue ? null : option.exec(arg)
    if (awaitsValue) values.push(arg)
    else if (match === null) rest.push(arg)
    else if (match[1] !== undefined) values.push(match[1])
    awaitsValue = match !== null && match[1] === undefined
  }
  return { values: awaitsValue ? [...values, ''] : values, rest }
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
 * be none. `valued`: letters of short options whose value may be the next word.
 */
export function searchedFolders(args: readonly string[], valued: string): readonly string[] {
  const { options, operands } = splitArguments(args, valued)
  const hasPattern = options.some((option) => holdsPattern(option, valued))
  const folders = hasPattern ? operands : operands.slice(1)
  return folders.length === 0 || !areOptionsKnown(args, bareSearchOptions) ? [...folders, '.'] : folders
}

/** Whether an option holds the pattern. The first letter of a cluster that takes a value takes the rest of the word. */
function holdsPattern(option: string, valued: string): boolean {
  if (option.startsWith('--')) return /^--(regexp|file)$/.test(option)
  const letter = [...option.slice(1)].find((one) => valued.includes(one))
  return letter === 'e' || letter === 'f'
}
