import { resolve } from 'node:path'
import { allOf, ok, type Result, refused } from '../../machine/result.ts'
import { readAssignment } from '../bash/assignment.ts'
import { writesBack } from '../bash/descriptors.ts'
import { allWords, type ScannedCommand, type Script } from '../bash/syntax.ts'
import { wholeTests } from '../bash/whole-tests.ts'
import type { CommandContext, FileUse, SimpleCommand } from '../command-line.ts'
import { systemName } from '../programs/command-name.ts'
import { readsCommands } from '../programs/input.ts'
import { riskOf, safePrefix, stripPrefixes } from '../programs/prefixes.ts'
import { cdOption } from '../programs/program-arguments.ts'
import { programOf } from '../programs/program-table.ts'
import { filesRead, obeys, runsMore } from '../programs/read-only.ts'
import {
  type CommandFolders,
  expandTilde,
  type Literal,
  onlyText,
  pipeOf,
  readLiteral,
  wordsOf,
} from './literal.ts'
import { handedTexts, type OpenedFile, pathOf, readRedirect, readsOf } from './opened-files.ts'

/**
 * The quoted script of a line that is only `sh -c 'script'` or `bash -c 'script'`. Not for a login shell, which first reads files
 * of its own.
 */
export function handedScript({ commands: [command, ...more], compound, loops }: Script): string | undefined {
  if (command === undefined || more.length + loops.length > 0 || compound) return undefined
  const [name, option, script, ...others] = command.words.map(onlyText)
  if (others.length > 0 || command.redirects.length > 0 || script?.quoted !== true) return undefined
  const shell = systemName(name?.text ?? '')
  // Some `sh` do not expand braces, and in some `[[` is a program, so that commands after it run.
  if (shell === 'sh' && /\[\[|\{[^{}]*,[^{}]*\}/.test(script.text)) return undefined
  return /^(ba)?sh$/.test(shell) && option?.text === '-c' ? script.text : undefined
}

/** The commands of a script. Refuses a script unless all of its words are literal. */
export function readSimpleCommands(
  script: Script,
  context: CommandContext,
): Result<readonly SimpleCommand[]> {
  if (script.broken) return refused('it cannot be read as shell')
  if (script.compound || script.loops.length > 0) return refused('it is more than a list of commands')
  const { cwd, home } = context
  let folders: readonly string[] = [cwd]
  const commands: SimpleCommand[] = []
  for (const scanned of wholeTests(script.commands)) {
    const command = readCommand(scanned, { folders, home })
    if (command.type === 'refused') return command
    commands.push(command.value)
    const feeding = feedingCommands(scanned, { folders, home })
    if (feeding === undefined || (feeding.length > 0 && !command.value.readOnly))
      return refused('it holds an expansion')
    commands.push(...feeding)
    const [name, ...args] = command.value.inner
    if (name !== 'cd') continue
    const [folder = '~'] = args.filter((arg) => !cdOption.test(arg))
    if (folder === '-') return refused('it goes back to an unknown folder')
    folders = [...new Set([...folders, ...folders.map((one) => resolve(one, expandTilde(folder, home)))])]
    if (folders.length > 8) return refused('it changes the folder too often')
  }
  if (mayFeedOptions(commands, script)) return refused('it may feed options to wc')
  const maySet = commands.some(({ inner: [name = ''], readOnly }) => !readOnly && programOf(name)?.maySet)
  return maySet && script.commands.some(isNamingVariables)
    ? refused('it may set a variable that it uses')
    : ok(commands)
}

/** Commands that print the names of files, or lines of files, but no text that their own words hold. */
const listers = /^(cat|cd|egrep|fd|fdfind|fgrep|find|git|grep|head|ls|rg|sort|tail|uniq|wc|xargs)$/
/** Parts of `--files0-from`, and of formats that could spell it. */
const spelling = /files0|printf|[%\\$]/

/**
 * Whether `xargs wc` may get `--files0-from=FILE` from the rest of the line. As there is no such file, `wc` prints each line of
 * FILE in an error.
 */
function mayFeedOptions(commands: readonly SimpleCommand[], script: Script): boolean {
  const isFed = ({ inner }: SimpleCommand) =>
    inner[0] === 'xargs' && inner.includes('wc') && !inner.includes('--')
  if (!commands.some(isFed)) return false
  const redirects = script.commands.flatMap((command) => command.redirects)
  return (
    redirects.some(({ operator }) => operator.startsWith('<<')) ||
    commands.some(
      ({ inner: [name = '', ...args] }) => !listers.test(name) || args.some((arg) => spelling.test(arg)),
    )
  )
}

/** The commands of process substitutions; `undefined` unless they only read. */
function feedingCommands(
  command: ScannedCommand,
  { folders: [cwd = '', ...others], home }: CommandFolders,
): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = []
  const all = allWords(command)
  for (const { parts, start } of command.words) {
    const [part] = parts
    if (part?.type !== 'process') continue
    // Bash takes `x<(y)` for one word.
    if (others.length > 0 || all.some(({ end }) => end === start)) return undefined
    const read = readSimpleCommands(part.script, { cwd, home })
    if (read.type === 'refused' || !read.value.every(isRead)) return undefined
    commands.push(...read.value)
  }
  return commands
}

/** Whether a command only reads, in the folder that it starts in. */
function isRead({ readOnly, inner: [name], files }: SimpleCommand): boolean {
  return readOnly && name !== 'cd' && files.every(({ access }) => access === 'read')
}

function isNamingVariables(command: ScannedCommand): boolean {
  const parts = allWords(command).flatMap((word) => word.parts)
  return parts.some((part) => part.type === 'variable' && part.name !== '?')
}

/** Variables that change a program's output but not what it does. */
const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|GOOS|GOARCH|CGO_ENABLED)$/

function readCommand({ words, redirects }: ScannedCommand, around: CommandFolders): Result<SimpleCommand> {
  const first = words.findIndex((word) => readAssignment(word) === undefined)
  const assigned = first === -1 ? words : words.slice(0, first)
  for (const word of assigned) {
    if (first === -1 || !harmless.test(readAssignment(word)?.name ?? '')) return refused('it sets a variable')
    const value = readLiteral(word, around)
    if (value.type === 'refused') return value
    // The value may be the path of a message catalogue or a time zone file.
    if (/\.\.|[=:][/~]/.test(value.value.text)) return refused('it sets a variable')
  }
  const own = words.slice(assigned.length).flatMap((word, i) => (i === 0 ? [word] : wordsOf(word)))
  const literals = allOf(own.map((word) => pipeOf(word) ?? readLiteral(word, around)))
  if (literals.type === 'refused') return literals
  const files = allOf(redirects.map((redirect) => readRedirect(redirect, around)))
  if (files.type === 'refused') return files
  if (writesBack(redirects.map((one) => ({ ...one, target: pathOf(one.target, around) }))))
    return refused('it may write to a file that it reads')
  const known = literals.value
  const behind = stripPrefixes(known.map(({ text }) => text))
  const literalsBehind = known.slice(known.length - behind.length)
  const entered = enteredByGit(literalsBehind, around.folders)
  const stays = entered.folders.every((one, i) => one === around.folders[i])
  const innerLiterals = stays ? entered.command : literalsBehind
  const inner = innerLiterals.map(({ text }) => text)
  if (known[0]?.glob === true || innerLiterals[0]?.glob === true)
    return refused('the name of a command is a glob')
  if (inner[0] === 'cd' && innerLiterals.some(({ glob }) => glob))
    return refused('it changes to a folder that a glob names')
  if (inner[0] === 'cd' && own.length > words.length - assigned.length)
    return refused('it changes to a folder that braces name')
  const read = filesRead(
    entered.command.map(({ path }) => path),
    entered.command.some(({ glob }) => glob),
  )?.all
  const redirected = files.value.flat()
  const named = inner.length === 0 || read === undefined ? [] : readsOf(entered.command, read)
  const opened = [...named, ...redirected]
  if (opened.some(({ text }) => /(^|\/)(?!\.\.?\/)[^/]+\/+(\.\/+)*\.\.(\/|$)/.test(text))) return leavesAgain
  if (opened.some(({ text }) => text.startsWith('\\\\'))) return refused('it names a file on another machine')
  const { folders, home } = around
  if (folders.length > 1 && inner[0] !== 'cd' && opened.some(({ text }) => text.startsWith('..')))
    return leavesAgain
  const all = withPlainName(known.map(({ text }) => text))
  const command = withPlainName(inner)
  const programs = programsOf(all, command)
  const acts = inner.length > 0 && read === undefined
  return ok({
    words: all,
    inner: command,
    readOnly: !acts,
    runsMore: runsMore(inner) || handedTexts(redirects).some((text) => obeys(inner, text)),
    readsCommands: acts && readsCommands(inner),
    gitFolders: programs.some((one) => systemName(one) === 'git') ? entered.folders : [],
    programs,
    prefix: safePrefix(command),
    risk: () => (acts ? riskOf(all, command) : undefined),
    files: [...filesIn(entered.folders, named, home), ...filesIn(folders, redirected, home)],
  })
}

/** The files that these words name from any of the folders. */
function filesIn(
  folders: readonly string[],
  opened: readonly OpenedFile[],
  home: string,
): readonly FileUse[] {
  return opened.flatMap(({ text, ...use }) =>
    folders.map((folder) => ({ path: resolve(folder, expandTilde(text, home)), ...use })),
  )
}

interface EnteredByGit {
  /** Without `-C FOLDER`. */
  readonly command: readonly Literal[]
  readonly folders: readonly string[]
}

/** Follows `git -C FOLDER` into its folder. Through a link, `..` would lead elsewhere, so such a command stays as it is. */
function enteredByGit(command: readonly Literal[], folders: readonly string[]): EnteredByGit {
  const [name, option, folder, ...rest] = command
  const climbs = ({ path }: Literal) => /(^|[/=:])\.\.(\/|$)/.test(path)
  const isGit = name !== undefined && systemName(name.text) === 'git' && option?.text === '-C'
  if (!isGit || folder === undefined || folder.glob || climbs(folder)) return { command, folders }
  const entered = folders.map((one) => resolve(one, folder.path))
  const stays = entered.every((one, i) => one === folders[i])
  return stays || !rest.some(climbs) ? { command: [name, ...rest], folders: entered } : { command, folders }
}

/** Words that may name a program that a command runs, even if it only reads. */
function programsOf(words: readonly string[], [name = '', ...args]: readonly string[]): readonly string[] {
  const more = programOf(name)?.programs?.(args)
  return more === undefined
    ? [...words.slice(0, 1), name]
    : [...words.slice(0, words.length - args.length), ...more]
}

const leavesAgain = refused('its path enters a folder and leaves it by "..", which may lead elsewhere')

/** The words, with the name of a system command reduced to its plain name. */
function withPlainName([name, ...args]: readonly string[]): readonly string[] {
  return name === undefined ? [] : [systemName(name), ...args]
}
