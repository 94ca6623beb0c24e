import type { CommandContext, FolderWalk, Walk } from '../command-line.ts'
import { present } from '../present.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName } from './inner.ts'
import { hasOption, readArguments } from './options.ts'
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
    walk: { hidden, ...onlyOr(names, present({ exceptFiles: except, exceptFolders: except })) },
  }
}

function grepWalk(name: string, args: readonly string[]): WalkedFolders | undefined {
  const included = takeValues(args, /^(--include)(?:=(.+))?$/s)
  const files = takeValues(included.rest, /^(--exclude)(?:=(.+))?$/s)
  const folders = takeValues(files.rest, /^(--exclude-dir)(?:=(.+))?$/s)
  const valued = 'eABCmdDf'
  const given = readArguments(folders.rest, valued)
  const down = ['--recursive', '--dereference-recursive', '--directories']
  if (name !== 'rgrep' && !hasOption(given, 'rRd', down)) return undefined
  const except = present({ exceptFiles: narrow(files.values), exceptFolders: narrow(folders.values) })
  return {
    folders: searched(folders.rest, valued),
    walk: { hidden: true, ...onlyOr(included.values, except) },
  }
}

/** Long options of a search that take no value; of any other, the word behind it may be its value and no folder. */
const bare =
  /^--(no-[\w-]+|recursive|dereference-recursive|line-number|ignore-case|smart-case|case-sensitive|fixed-strings|extended-regexp|perl-regexp|basic-regexp|word-regexp|line-regexp|invert-match|only-matching|with-filename|quiet|silent|null|null-data|text|count|count-matches|files-with-matches|files-without-match|hidden|unrestricted|heading|column|multiline|pcre2|json|vimgrep|pretty|follow|stats|trim|byte-offset|line-buffered|binary)$/

/** The folders that a search looks in: behind its pattern, unless an option gives that; the one it runs in where they may be none. */
function searched(args: readonly string[], valued: string): readonly string[] {
  const { options, operands } = readArguments(args, valued)
  const givesPattern = options.some((option) => {
    if (option.startsWith('--')) return /^--(regexp|file)$/.test(option)
    return /[ef]/.test([...option.slice(1)].find((letter) => valued.includes(letter)) ?? '')
  })
  const folders = givesPattern ? operands : operands.slice(1)
  const isSure = args.every(
    (arg) => !arg.startsWith('--') || arg.includes('=') || arg === '--' || bare.test(arg),
  )
  return folders.length === 0 || !isSure ? [...folders, '.'] : folders
}

/** A name with an ending, or any name with one. What else a glob may say is not looked into. */
const simple = /^[\w.*?-]*\.\w+$/

/** The last glob that answers decides, so that those that leave out hold only where no other is there. */
function onlyOr(names: readonly string[], except: Omit<Walk, 'hidden' | 'names'>): Omit<Walk, 'hidden'> {
  if (names.length === 0) return except
  const only = names.flatMap(alternatives).map((glob) => glob.split('/').at(-1) ?? '')
  return only.every((glob) => simple.test(glob)) ? { names: only } : {}
}

function narrow(globs: readonly string[]): readonly string[] | undefined {
  const plain = globs.filter((glob) => /^[\w.*?-]+$/.test(glob))
  return plain.length === 0 ? undefined : plain
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
