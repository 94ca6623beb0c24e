import type { CommandContext, FolderWalk, Walk } from '../command-line.ts'
import { present } from '../present.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName } from './inner.ts'
import { afterPattern, hasOption, readArguments } from './options.ts'
import type { Reach } from './reach.ts'

/** Every folder of which the commands of a line read what is below it: more than they will. */
export function walksOf(reach: Reach, context: CommandContext): readonly FolderWalk[] {
  const places = foldersOf(reach, context)
  return reach.commands.flatMap((fields) => {
    const args = fields.slice(1).map(({ text }) => text)
    const { folders = [], walk } = walkOf(commandName(fields), args) ?? {}
    if (walk === undefined) return []
    const read = fields.every(({ known }) => known) ? walk : everything
    return folders.flatMap((folder) =>
      places.map((place) => ({ ...read, path: enter(place, folder, context.home) })),
    )
  })
}

interface WalkedFolders {
  /** As they are written. */
  readonly folders: readonly string[]
  readonly walk: Walk
}

const everything: Walk = { hidden: true }

/** Commands that go down into folders and say no more than names, or open nothing there. */
const readsNames = new Set('ls find fd fdfind du tree git rm chmod chown chgrp mkdir'.split(' '))

/** `undefined` for a command that stays with the files it is given. */
function walkOf(name: string, args: readonly string[]): WalkedFolders | undefined {
  const isUntracked = name === 'git' && args.includes('grep') && args.some((arg) => /^--(no-i|unt)/.test(arg))
  if (isUntracked) return { folders: ['.'], walk: everything }
  if (readsNames.has(name)) return undefined
  if (/^(rg|ag)$/.test(name)) return filterWalk(args)
  if (/grep$/.test(name)) return grepWalk(name, args)
  const { options, operands } = readArguments(args)
  const goesDown = options.some((one) => /^-[A-Za-z]*[rRa]|^--(recursive|archive)/.test(one))
  if (!goesDown && !/^(ack|tar|rsync|zip|7za?)$/.test(name)) return undefined
  return { folders: name === 'ack' ? orHere(operands.slice(1)) : operands, walk: everything }
}

/** `rg` passes over what is hidden, unless an option or a glob that names some files tells it otherwise. */
function filterWalk(args: readonly string[]): WalkedFolders | undefined {
  const { values, rest } = takeValues(args, /^(-g|--i?glob)(?:=?(.+))?$/s)
  const given = readArguments(rest, 'eABCmtTfjMEr')
  if (given.options.includes('--files')) return undefined
  const [except, names] = [
    values.filter((glob) => glob.startsWith('!')),
    values.filter((glob) => !glob.startsWith('!')),
  ]
  const hidden = names.length > 0 || hasOption(given, '.u', ['--hidden', '--unrestricted'])
  const walk = narrowed(
    hidden,
    names,
    except.map((glob) => glob.slice(1)),
  )
  return { folders: orHere(afterPattern(given)), walk }
}

function grepWalk(name: string, args: readonly string[]): WalkedFolders | undefined {
  const included = takeValues(args, /^(--include)(?:=(.+))?$/s)
  const excluded = takeValues(included.rest, /^(--exclude(?:-dir)?)(?:=(.+))?$/s)
  const given = readArguments(excluded.rest, 'eABCmdDf')
  const down = ['--recursive', '--dereference-recursive', '--directories']
  if (name !== 'rgrep' && !hasOption(given, 'rRd', down)) return undefined
  return { folders: orHere(afterPattern(given)), walk: narrowed(true, included.values, excluded.values) }
}

/** A name with an ending, or any name with one. What else a glob may say is not looked into. */
const simple = /^[\w.*?-]*\.\w+$/

/** The last glob that answers decides, so that those that leave out hold only where no other is there. */
function narrowed(hidden: boolean, names: readonly string[], except: readonly string[]): Walk {
  const only = names.flatMap(alternatives).map((glob) => glob.split('/').at(-1) ?? '')
  const isNarrow = only.length > 0 && only.every((glob) => simple.test(glob))
  const left = names.length > 0 ? [] : except.filter((glob) => /^[\w.*?-]+$/.test(glob))
  return {
    hidden,
    ...present({ names: isNarrow ? only : undefined, except: left.length > 0 ? left : undefined }),
  }
}

/** The globs that one with a single list in braces stands for. */
function alternatives(glob: string): readonly string[] {
  const [, head, list, tail] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/s.exec(glob) ?? []
  return list === undefined ? [glob] : list.split(',').map((one) => `${head}${one}${tail}`)
}

/** Takes an option with its values, in the same word or the next, out of a command's words. */
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
