import { basename } from 'node:path'
import type { CommandContext, FolderWalk, TrackedWalk } from '../command-line.ts'
import { commandName } from '../programs/command-name.ts'
import type { ShownByGit, WalkedFolders } from '../programs/program.ts'
import { splitArguments } from '../programs/program-arguments.ts'
import { programOf } from '../programs/program-table.ts'
import { isRecursive, startsBelow } from '../programs/recursive.ts'
import { allFiles } from '../programs/search-walks.ts'
import { gatheredBy } from '../programs/targets.ts'
import { textsOf } from '../programs/word-fields.ts'
import type { Execution } from './execution.ts'
import { filesOf } from './file-use.ts'
import { enter, foldersOf } from './folders.ts'

/** The folders that commands read recursively, and the repositories whose tracked files they show. May list too many. */
export function walksOf(
  execution: Execution,
  context: CommandContext,
): readonly (FolderWalk | TrackedWalk)[] {
  const places = foldersOf(execution, context)
  const all = execution.commands.flatMap((fields): readonly (FolderWalk | TrackedWalk)[] => {
    const args = textsOf(fields.slice(1))
    const name = commandName(fields)
    const tracked = programOf(name)?.shows?.(args)
    const { folders = [], walk = allFiles } = walkOf(name, args) ?? {}
    const read = fields.every(({ known }) => known) ? walk : allFiles
    const all = tracked?.isUntracked ? ['.'] : folders
    const below = all.flatMap((folder) =>
      places.map((place) => ({ ...read, path: enter(place, folder, context.home) })),
    )
    const gathered = textsOf(gatheredBy(fields)).flatMap((folder) =>
      places.map((place) => ({ ...allFiles, path: enter(place, folder, context.home) })),
    )
    return [...(tracked === undefined ? [] : trackedWalks(tracked, places, context)), ...below, ...gathered]
  })
  return [...all, ...walksBelow(execution, places, context)]
}

/** File names to look for in the folders of a `find`. */
const mostNames = 64

/** The files that commands run below folders may read there: every file with a name that the line reads. */
function walksBelow(
  execution: Execution,
  places: readonly string[],
  context: CommandContext,
): readonly FolderWalk[] {
  const starts = execution.commands.flatMap(startsBelow)
  // With an unknown folder, `filesOf` already lists an unknown file.
  if (starts.length === 0 || execution.folders.includes(undefined)) return []
  const commands = execution.commands.filter((one) => startsBelow(one).length === 0)
  const read = filesOf({ ...execution, commands }, context, false).filter(({ access }) => access === 'read')
  const isDeep = read.some(({ by }) => by === 'tree' || by === 'links')
  const names = new Set(read.flatMap(({ path }) => (path === undefined ? [] : [basename(path)])))
  const walk = isDeep || names.size > mostNames ? allFiles : { hidden: true, names: [...names] }
  return starts.flatMap(({ text }) =>
    places.map((place) => ({ ...walk, path: enter(place, text, context.home) })),
  )
}

function trackedWalks(
  { shown, folders, compared, isAnywhere }: ShownByGit,
  places: readonly string[],
  { home }: CommandContext,
): readonly (FolderWalk | TrackedWalk)[] {
  if (shown === undefined) return []
  if (folders === undefined) return [{ path: undefined, ...shown }]
  return places.flatMap((place): readonly (FolderWalk | TrackedWalk)[] => {
    const path = folders.reduce((from, folder) => enter(from, folder, home), place)
    const paths = [...new Set(compared.map((one) => enter(path, one, home)))]
    return isAnywhere
      ? paths.map((one) => ({ ...allFiles, path: one }))
      : [{ path, ...shown, ...(paths.length > 0 && { compared: paths }) }]
  })
}

/** Returns `undefined` for a command that only reads the files it is given. */
function walkOf(name: string, args: readonly string[]): WalkedFolders | undefined {
  const { walksNames, searches } = programOf(name) ?? {}
  if (walksNames || !isRecursive(name, args)) return undefined
  return searches === undefined ? { folders: splitArguments(args).operands, walk: allFiles } : searches(args)
}
