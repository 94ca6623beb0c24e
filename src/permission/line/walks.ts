import { basename } from 'node:path'
import { omitUndefined } from '../../omit-undefined.ts'
import { expandBraces } from '../../text/braces.ts'
import type { CommandContext, FolderWalk, TrackedWalk, Walk } from '../command-line.ts'
import { hasOption, readArguments } from '../programs/arguments.ts'
import { commandName } from '../programs/command-name.ts'
import { findStarts, runsBelow } from '../programs/find.ts'
import { operandsOf } from '../programs/git/pathspec.ts'
import { gitPlace } from '../programs/git/runs.ts'
import { gitShows } from '../programs/git/shows.ts'
import { isRecursive } from '../programs/recursive.ts'
import { searched } from '../programs/searched-folders.ts'
import { programOf } from '../programs/table.ts'
import type { Execution } from './execution.ts'
import { filesOf } from './file-use.ts'
import { enter, foldersOf } from './folders.ts'

/** Folders that the line's commands read recursively, and repositories whose tracked files they show. May list too many. */
export function walksOf(
  execution: Execution,
  context: CommandContext,
): readonly (FolderWalk | TrackedWalk)[] {
  const places = foldersOf(execution, context)
  const all = execution.commands.flatMap((fields): readonly (FolderWalk | TrackedWalk)[] => {
    const args = fields.slice(1).map(({ text }) => text)
    const name = commandName(fields)
    const { folders = [], walk } = walkOf(name, args) ?? {}
    const tracked = name === 'git' ? gitWalks(args, places, context) : []
    if (walk === undefined) return tracked
    const read = fields.every(({ known }) => known) ? walk : everything
    const below = folders.flatMap((folder) =>
      places.map((place) => ({ ...read, path: enter(place, folder, context.home) })),
    )
    return [...tracked, ...below]
  })
  return [...all, ...walksOfFind(execution, places, context)]
}

/** File names to look for in the folders of a `find`. */
const mostNames = 64

/** The files that a `find` runs other commands on, in each folder: any file with a name that the line reads. */
function walksOfFind(
  execution: Execution,
  places: readonly string[],
  context: CommandContext,
): readonly FolderWalk[] {
  const finds = execution.commands.filter(runsBelow)
  // With an unknown folder, `filesOf` already lists an unknown file.
  if (finds.length === 0 || execution.folders.includes(undefined)) return []
  const commands = execution.commands.filter((one) => !finds.includes(one))
  const read = filesOf({ ...execution, commands }, context, false).filter(({ access }) => access === 'read')
  const isDeep = read.some(({ by }) => by === 'tree' || by === 'links')
  const names = new Set(read.flatMap(({ path }) => (path === undefined ? [] : [basename(path)])))
  const walk = isDeep || names.size > mostNames ? everything : { hidden: true, names: [...names] }
  return finds
    .flatMap((fields) => findStarts(fields.slice(1)))
    .flatMap(({ text }) => places.map((place) => ({ ...walk, path: enter(place, text, context.home) })))
}

function gitWalks(
  args: readonly string[],
  places: readonly string[],
  { home }: CommandContext,
): readonly (FolderWalk | TrackedWalk)[] {
  const { folders, rest } = gitPlace(args)
  const shown = gitShows(rest)
  if (shown === undefined) return []
  if (folders === undefined) return [{ path: undefined, ...shown }]
  const { paths, isAnywhere } = comparedBy(rest)
  return places.flatMap((place): readonly (FolderWalk | TrackedWalk)[] => {
    const path = folders.reduce((from, folder) => enter(from, folder, home), place)
    const compared = [...new Set(paths.map((one) => enter(path, one, home)))]
    return isAnywhere
      ? compared.map((one) => ({ ...everything, path: one }))
      : [{ path, ...shown, ...(compared.length > 0 && { compared }) }]
  })
}

/** The paths that git compares, from anywhere (`isAnywhere`) or only if they are outside of its repository. */
function comparedBy([subcommand = '', ...args]: readonly string[]) {
  const given = readArguments(args)
  const isComparing = /^diff(tool)?$/.test(subcommand)
  const operands = operandsOf(args) ?? given.operands
  // One glob may expand to two paths.
  const mayBeTwo = operands.length > 1 || operands.some((one) => /[*?[]/.test(one))
  return {
    paths: isComparing && mayBeTwo ? operands : [],
    isAnywhere: isComparing && hasOption(given, '', ['--no-index']),
  }
}

interface WalkedFolders {
  /** As written. */
  readonly folders: readonly string[]
  readonly walk: Walk
}

const everything: Walk = { hidden: true }

/** Returns `undefined` for a command that only reads the files it is given. */
function walkOf(name: string, args: readonly string[]): WalkedFolders | undefined {
  const isUntracked =
    name === 'git' &&
    args.includes('grep') &&
    args.some((arg) => /^(--(no-i|unt|recurse)|grep\.fallback)/i.test(arg))
  if (isUntracked) return { folders: ['.'], walk: everything }
  const { walksNames, search = /grep$/.test(name) ? 'grep' : undefined } = programOf(name) ?? {}
  if (walksNames || !isRecursive(name, args)) return undefined
  if (search === 'ripgrep') return filterWalk(args)
  if (search === 'grep') return grepWalk(args)
  const { operands } = readArguments(args)
  return { folders: search === 'ack' ? orHere(operands.slice(1)) : operands, walk: everything }
}

/** `rg` skips hidden files, unless an option or an including glob overrides that. */
function filterWalk(args: readonly string[]): WalkedFolders | undefined {
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

function grepWalk(args: readonly string[]): WalkedFolders {
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

function orHere(folders: readonly string[]): readonly string[] {
  return folders.length === 0 ? ['.'] : folders
}
