import { isPipeError } from '../../error.ts'
import { ok, type Refused, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type Grammar, loadGrammar, type SourceSpan } from '../bash/grammar.ts'
import { scan } from '../bash/scanner.ts'
import {
  allWords,
  type Redirect,
  type ScannedCommand,
  type Script,
  scriptsOf,
  type Word,
} from '../bash/syntax.ts'
import type {
  CommandContext,
  CommandReader,
  JudgedLine,
  ReachableCommand,
  SimpleCommand,
} from '../command-line.ts'
import { commandName } from '../programs/command-name.ts'
import { programOf } from '../programs/program-table.ts'
import { textOf } from '../programs/word-fields.ts'
import { destinationsOf } from './destinations.ts'
import type { Execution } from './execution.ts'
import { filesOf, openedBy } from './file-use.ts'
import { enter } from './folders.ts'
import { readExecution } from './read-execution.ts'
import { keepsNames, wordsHere } from './remote.ts'
import { removalOf } from './removal.ts'
import { handedScript, readSimpleCommands } from './simple-commands.ts'
import { stdinWords } from './stdin-words.ts'
import { walksOf } from './walks.ts'

export interface CommandReaderOptions {
  /** The folder with `tree-sitter.wasm` and `tree-sitter-bash.wasm`. Read at the first line that needs them. */
  readonly grammarFolder: string
}

/** Characters. pipe asks about a longer line; deny rules still apply to all of it. */
const longest = 10_000
const mostParts = 50

/**
 * Reads each line twice, by word and by bash's grammar. Commands are `plain` only if both readings agree on every word. A line of
 * plain words has only one reading and loads no grammar.
 */
export function createCommandReader({ grammarFolder }: CommandReaderOptions): CommandReader {
  let loading: Promise<Result<Grammar>> | undefined
  const load = () => {
    loading ??= loadGrammar(grammarFolder).then(ok, whyMissing)
    return loading
  }
  const read: CommandReader['read'] = async (command, context) => {
    const script = scan(command)
    if (plainWords.test(command) && !script.compound) return describe({ command, script, context, found: [] })
    const grammar =
      command.length <= longest ? await load() : refused(`it has more than ${longest} characters`)
    const parse = grammar.type === 'ok' ? grammar.value.parse(masked(command)) : undefined
    const agrees =
      parse?.plain === true &&
      sameSpans(parse.commands, spansOf(script)) &&
      sameSpans(
        parse.redirects.map((one) => [one]),
        redirectsOf(script).map((one) => [one]),
      )
    const found = (parse?.commands ?? []).map((words) => textAt(command, words))
    const doubt = agrees ? undefined : grammar.type === 'refused' ? grammar.reason : doubtOf(parse?.plain)
    const line = describe({ command, script, context, found, ...omitUndefined({ doubt }) })
    const handed = line.plain === undefined ? undefined : handedScript(script)
    return handed === undefined ? line : seenThrough(line, await read(handed, context))
  }
  return { read }
}

/** Treats a line that only passes a script to a shell as plain if the script only reads. */
function seenThrough(line: JudgedLine, script: JudgedLine): JudgedLine {
  const words = line.plain?.[0]?.words
  const isRead = ({ readOnly, files }: SimpleCommand) =>
    readOnly && files.every(({ access }) => access === 'read')
  if (words === undefined || script.plain?.every(isRead) !== true) return line
  return {
    ...line,
    plain: script.plain.map((one) => ({ ...one, words })),
    caution: line.caution ?? script.caution,
  }
}

/** Words without any character that is special to bash. */
const plainWords = /^[A-Za-z0-9_./:@%+,-]+( [A-Za-z0-9_./:@%+,-]+)*$/
/** Texts that the grammar misreads, each with a letter to put in its place before parsing. */
const misread: readonly (readonly [RegExp, string])[] = [
  // The descriptor 0 of a redirect, which the grammar takes for a word.
  [/(?<=^|(?<!\\)[\s;&|(])0(?=[<>])/g, ' '],
  // Words before a redirect: the grammar drops `-` and takes `==` and `=~` for operators.
  [/(?<=[ \t])(-|==|=~)(?=[ \t]+(\d*[<>]|&>))/g, 'x'],
  // A dollar sign that expands nothing.
  [/(?<![\\$])\$(?=[;&|)\n])/g, 'x'],
]

function masked(command: string): string {
  return misread.reduce(
    (text, [pattern, letter]) => text.replace(pattern, (found) => letter.repeat(found.length)),
    command,
  )
}

/** An emoji, including joined sequences. Unicode also counts digits, `#` and `*` as emoji; these are excluded. */
const emoji = /(?![\d#*])\p{Emoji}\ufe0f?(\u200d(?![\d#*])\p{Emoji}\ufe0f?)*/gu
/** Formatting, private and control characters, and characters that look like a blank. */
const invisible = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/u

interface ReadLine {
  readonly command: string
  readonly script: Script
  readonly context: CommandContext
  /** The texts of the commands that the grammar finds. */
  readonly found: readonly string[]
  /** Why the two readings do not agree. */
  readonly doubt?: string
}

function describe({ command, script, context, found, doubt }: ReadLine): JudgedLine {
  const plain = doubt === undefined ? readSimpleCommands(script, context) : refused(doubt)
  const { cwd, home } = context
  const environment = { HOME: home, PWD: cwd, OLDPWD: cwd, IFS: ' \t\n' }
  const all = readExecution([command, ...found], environment)
  const isCertain = keepsNames(plain)
  const leaves = isCertain && all.commands.some((fields) => wordsHere(fields) !== undefined)
  const here = leaves ? readExecution([command, ...found], environment, 'here') : all
  const reachable = all.commands.map((fields): ReachableCommand => {
    const [first] = fields
    const name = first?.known === true && !first.glob ? commandName(fields) : undefined
    const { optionNames = {}, endsOptions = false } = programOf(name ?? '') ?? {}
    return { name, words: fields.map(textOf), optionNames, endsOptions }
  })
  return {
    plain: plain.type === 'ok' ? plain.value : undefined,
    obstacle: plain.type === 'refused' ? plain.reason : undefined,
    caution: cautionOf({ command, script, context }, here, plain),
    movesGit: moves(here, context) && here.commands.some((fields) => commandName(fields) === 'git'),
    reachable,
    mentioned: all.mentioned,
    files: filesOf(here, context, isCertain),
    destinations: destinationsOf(here, context, stdinWords(script, context)),
    walks: walksOf(here, context),
    opaque: all.opaque,
    ...removalOf(command, all, context),
  }
}

/** Without the grammar, no line counts as understood, so pipe asks about it. */
function whyMissing(error: unknown): Refused {
  if (isPipeError(error)) return refused(error.message)
  throw error
}

function doubtOf(isPlain: boolean | undefined): string {
  if (isPlain === undefined) return 'it takes too long to read'
  return isPlain ? 'it can be read in more than one way' : 'it is more than a list of plain commands'
}

function cautionOf(
  { command, script, context }: Pick<ReadLine, 'command' | 'script' | 'context'>,
  all: Execution,
  plain: Result<readonly SimpleCommand[]>,
): string | undefined {
  const { redirects } = all
  if (invisible.test(command.replace(emoji, ''))) return 'it holds invisible characters'
  if (command.length > longest) return `it has more than ${longest} characters`
  if (script.broken) return 'it cannot be read as shell'
  if (script.commands.length > mostParts) return `it has more than ${mostParts} parts`
  if (redirects.some(({ target }) => /^\/dev\/(tcp|udp)\//.test(target.text))) return 'it opens a connection'
  if (!moves(all, context)) return undefined
  const writes =
    plain.type === 'refused'
      ? openedBy(all).some(({ operator }) => operator.includes('>'))
      : plain.value.some(({ files }) => files.some(({ access }) => access === 'write'))
  return writes ? 'it writes to a file in another folder' : undefined
}

/** Whether a command may run in another folder. */
function moves({ folders }: Execution, { cwd, home }: CommandContext): boolean {
  return folders.some((folder) => folder === undefined || enter(cwd, folder, home) !== cwd)
}

function spansOf(script: Script): readonly (readonly SourceSpan[])[] {
  return commandsIn(script).flatMap(({ words }) => (words.length === 0 ? [] : [words.map(spanOf)]))
}

function redirectsOf(script: Script): readonly SourceSpan[] {
  return commandsIn(script).flatMap(({ redirects }) =>
    redirects.filter((one) => !closes(one)).map(({ target }) => spanOf(target)),
  )
}

function spanOf({ start, end }: Word): SourceSpan {
  return [start, end]
}

/** The commands of a script, and those of the scripts within its words. */
function commandsIn({ commands }: Script): readonly ScannedCommand[] {
  const words = commands.flatMap(allWords)
  return [...commands, ...words.flatMap(({ parts }) => scriptsOf(parts)).flatMap(commandsIn)]
}

/** `2>&-`, which the grammar reads as one operator without a word. */
function closes({ operator, target }: Redirect): boolean {
  const [part, ...more] = target.parts
  return operator.endsWith('&') && part?.type === 'text' && part.text === '-' && more.length === 0
}

/** Whether two readings find the same words, in any order of commands. */
function sameSpans(a: readonly (readonly SourceSpan[])[], b: readonly (readonly SourceSpan[])[]): boolean {
  const key = (spans: readonly (readonly SourceSpan[])[]) =>
    spans
      .map((words) => words.join(' '))
      .sort()
      .join(';')
  return key(a) === key(b)
}

function textAt(command: string, words: readonly SourceSpan[]): string {
  return command.slice(words[0]?.[0], words.at(-1)?.[1])
}
