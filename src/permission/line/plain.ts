import { resolve } from 'node:path'
import { allOf, ok, type Result, refused } from '../../text/result.ts'
import { readAssignment } from '../bash/assignment.ts'
import { opensFile, writesBack } from '../bash/descriptors.ts'
import {
  allWords,
  type Part,
  type Redirect,
  type ScannedCommand,
  type Script,
  type Word,
} from '../bash/syntax.ts'
import { wholeTests } from '../bash/whole-tests.ts'
import type { CommandContext, FileUse, PlainCommand } from '../command-line.ts'
import { cdOption } from '../programs/arguments.ts'
import { systemName } from '../programs/command-name.ts'
import { readsCommands } from '../programs/input.ts'
import { riskOf, safePrefix, stripPrefixes } from '../programs/prefixes.ts'
import { filesRead, obeys, runsMore } from '../programs/read-only.ts'
import { followsLinks } from '../programs/recursive.ts'
import { programOf } from '../programs/table.ts'

/** The folders around a command. */
interface Surroundings {
  /** Every folder that it may run in. */
  readonly folders: readonly string[]
  readonly home: string
}

/** A word whose text is certain. */
interface Literal {
  readonly text: string
  /** The text with a leading `~` expanded. */
  readonly path: string
  readonly glob: boolean
}

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

function onlyText({ parts: [part, ...more] }: Word) {
  return part?.type === 'text' && more.length === 0 ? part : undefined
}

/** The commands of a script. Refuses a script unless all of its words are literal. */
export function readPlain(script: Script, context: CommandContext): Result<readonly PlainCommand[]> {
  if (script.broken) return refused('it cannot be read as shell')
  if (script.compound || script.loops.length > 0) return refused('it is more than a list of commands')
  const { cwd, home } = context
  let folders: readonly string[] = [cwd]
  const commands: PlainCommand[] = []
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
function mayFeedOptions(commands: readonly PlainCommand[], script: Script): boolean {
  const isFed = ({ inner }: PlainCommand) =>
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
  { folders: [cwd = '', ...others], home }: Surroundings,
): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = []
  const all = allWords(command)
  for (const { parts, start } of command.words) {
    const [part] = parts
    if (part?.type !== 'process') continue
    // Bash takes `x<(y)` for one word.
    if (others.length > 0 || all.some(({ end }) => end === start)) return undefined
    const read = readPlain(part.script, { cwd, home })
    if (read.type === 'refused' || !read.value.every(isRead)) return undefined
    commands.push(...read.value)
  }
  return commands
}

/** Whether a command only reads, in the folder that it starts in. */
function isRead({ readOnly, inner: [name], files }: PlainCommand): boolean {
  return readOnly && name !== 'cd' && files.every(({ access }) => access === 'read')
}

function isNamingVariables(command: ScannedCommand): boolean {
  const parts = allWords(command).flatMap((word) => word.parts)
  return parts.some((part) => part.type === 'variable' && part.name !== '?')
}

/** Variables that change a program's output but not what it does. */
const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|GOOS|GOARCH|CGO_ENABLED)$/

function readCommand({ words, redirects }: ScannedCommand, around: Surroundings): Result<PlainCommand> {
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
  const inner = stripPrefixes(known.map(({ text }) => text))
  const innerLiterals = known.slice(known.length - inner.length)
  if (known[0]?.glob === true || innerLiterals[0]?.glob === true)
    return refused('the name of a command is a glob')
  if (inner[0] === 'cd' && innerLiterals.some(({ glob }) => glob))
    return refused('it changes to a folder that a glob names')
  if (inner[0] === 'cd' && own.length > words.length - assigned.length)
    return refused('it changes to a folder that braces name')
  const read = filesRead(
    innerLiterals.map(({ path }) => path),
    innerLiterals.some(({ glob }) => glob),
  )?.all
  const opened = [
    ...(inner.length === 0 || read === undefined ? [] : readsOf(innerLiterals, read)),
    ...files.value.flat(),
  ]
  if (opened.some(({ text }) => /(^|\/)(?!\.\.?\/)[^/]+\/+(\.\/+)*\.\.(\/|$)/.test(text))) return leavesAgain
  if (opened.some(({ text }) => text.startsWith('\\\\'))) return refused('it names a file on another machine')
  const { folders, home } = around
  if (folders.length > 1 && inner[0] !== 'cd' && opened.some(({ text }) => text.startsWith('..')))
    return leavesAgain
  const all = named(known.map(({ text }) => text))
  const command = named(inner)
  const acts = inner.length > 0 && read === undefined
  return ok({
    words: all,
    inner: command,
    readOnly: !acts,
    runsMore: runsMore(inner) || handedTexts(redirects).some((text) => obeys(inner, text)),
    readsCommands: acts && readsCommands(inner),
    programs: programsOf(all, command),
    prefix: safePrefix(command),
    risk: () => (acts ? riskOf(all, command) : undefined),
    files: opened.flatMap(({ text, access, glob, by }) =>
      folders.map(
        (folder): FileUse => ({ path: resolve(folder, expandTilde(text, home)), access, glob, by }),
      ),
    ),
  })
}

/** Words that may name a program that a command runs, even if it only reads. */
function programsOf(words: readonly string[], [name = '', ...args]: readonly string[]): readonly string[] {
  const more = programOf(name)?.programs?.(args)
  return more === undefined
    ? [...words.slice(0, 1), name]
    : [...words.slice(0, words.length - args.length), ...more]
}

const leavesAgain = refused('its path enters a folder and leaves it by "..", which may lead elsewhere')

/** The files that a read-only command opens: given ones, those that links lead to, and those that its globs may match. */
function readsOf(literals: readonly Literal[], read: readonly string[]) {
  const [name = '', ...args] = literals.map(({ text }) => text)
  const { keepsGlobs, printsNames, opensFound } = programOf(systemName(name))?.reads ?? {}
  const follows = followsLinks(systemName(name), args) ?? (opensFound?.(args) ? 'given' : undefined)
  const files = [...read]
  const isStray = (path: string) => {
    const at = files.indexOf(path)
    return at === -1 || files.splice(at, 1).length === 0
  }
  const strays = keepsGlobs
    ? []
    : literals.filter(({ path, glob }) => glob && isStray(path)).map(({ path }) => path)
  const use = (by: FileUse['by']) => (text: string) => ({
    text,
    access: 'read' as const,
    by,
    glob: by === 'argument' || /[*?[]/.test(text),
  })
  return [
    ...[...read, ...(follows === 'here' ? ['.'] : [])].map(use(follows === undefined ? 'word' : 'links')),
    ...strays.map(use(printsNames ? 'word' : 'argument')),
  ]
}

/** The words, with the name of a system command reduced to its plain name. */
function named([name, ...args]: readonly string[]): readonly string[] {
  return name === undefined ? [] : [systemName(name), ...args]
}

function readLiteral({ parts }: Word, around: Surroundings): Result<Literal> {
  if (mayExpandBraces(parts)) return refused('it holds braces')
  let text = ''
  let glob = false
  let tilde = false
  for (const [i, part] of parts.entries()) {
    if (part.type === 'variable' || part.type === 'substitution') {
      const value = part.type === 'variable' ? certainValue(part.name, around) : certainOutput(part.script)
      if (value === undefined || !(part.quoted || /^[\w./@%+:$?-]*$/.test(value)))
        return refused('it holds an expansion')
      text += value
      continue
    }
    if (part.type !== 'text') return refused('it holds an expansion')
    if (!part.quoted) {
      if (/[^\P{White_Space} ]/u.test(part.text)) return refused('it holds an unusual kind of blank')
      glob ||= /[*?[]/.test(part.text) && !/^\[\[?$/.test(part.text)
      if (i === 0 && part.text.startsWith('~')) {
        if (!/^~(\/|$)/.test(part.text) || (part.text === '~' && parts.length > 1))
          return refused('it names the home of another user')
        tilde = true
      }
    }
    text += part.text
  }
  return ok({ text, path: tilde ? expandTilde(text, around.home) : text, glob })
}

/** A process substitution, which programs read as they read their input. */
function pipeOf({ parts: [part, ...more] }: Word): Result<Literal> | undefined {
  const isPipe = part?.type === 'process' && more.length === 0
  return isPipe ? ok({ text: '/dev/fd/63', path: '-', glob: false }) : undefined
}

const inBraces = /^((?:--?[\w-]+=)?[\w./@%+:*?-]*)\{([\w./@%+:*?,-]+)\}([\w./@%+:*?-]*)$/

/** Expands a word with one simple brace list. Any other word stays as it is. */
function wordsOf(word: Word): readonly Word[] {
  const part = onlyText(word)
  const [, head = '', list = '', tail = ''] = (part?.quoted === false && inBraces.exec(part.text)) || []
  if (part === undefined || !list.includes(',')) return [word]
  const texts = list.split(',').map((item) => head + item + tail)
  return texts.includes('') ? [word] : texts.map((text) => ({ ...word, parts: [{ ...part, text }] }))
}

/** Bash expands only braces that hold a comma or `..`. Text after an open brace counts too: bash may misread its quotes. */
function mayExpandBraces(parts: readonly Part[]): boolean {
  if (!parts.some((part) => part.type === 'text' && !part.quoted && part.text.includes('{'))) return false
  const text = parts.map((part) => (part.type === 'text' ? part.text : 'x')).join('')
  return /^[^{]*\{.*,|\{[^{}]*\.\./s.test(text)
}

/** The value of a variable that the line does not set. `$?` stands for a number. */
function certainValue(name: string, { folders: [cwd, ...others], home }: Surroundings): string | undefined {
  if (name === 'HOME') return home
  if (name === 'PWD') return others.length === 0 ? cwd : undefined
  return name === '?' ? '$?' : undefined
}

/** The output of `cat` with a here-document, a common way to pass a long text as one word. */
function certainOutput({ commands, compound, loops }: Script): string | undefined {
  const [command, ...more] = commands
  if (command === undefined || more.length > 0 || compound || loops.length > 0) return undefined
  const [name, ...args] = command.words.map(onlyText)
  const [redirect, ...others] = command.redirects
  const [body] = redirect?.body ?? []
  if (redirect === undefined || body?.type !== 'text' || args.length + others.length > 0) return undefined
  return name?.text === 'cat' && isText(redirect.target) ? body.text.replace(/\n+$/, '') : undefined
}

/** Whether a here-document is certainly literal text: its delimiter is one quoted word. */
function isText({ parts: [first, ...more], start, end }: Word): boolean {
  if (first?.type !== 'text' || !first.quoted || more.length > 0) return false
  return /^\w+$/.test(first.text) && end - start - first.text.length <= 2
}

/** The texts of here-documents and here-strings. */
function handedTexts(redirects: readonly Redirect[]): readonly string[] {
  return redirects
    .filter(({ operator }) => operator.startsWith('<<'))
    .map(({ target, body }) =>
      (body ?? target.parts).map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )
}

const opens: Readonly<Record<string, readonly FileUse['access'][]>> = {
  '<': ['read'],
  '<>': ['read', 'write'],
  '>': ['write'],
  '>>': ['write'],
  '>|': ['write'],
  '&>': ['write'],
  '&>>': ['write'],
  '>&': ['write'],
  '<&': ['read'],
}

function pathOf(word: Word, around: Surroundings): string {
  const literal = readLiteral(word, around)
  return literal.type === 'ok' ? literal.value.path : ''
}

/** A file to open, as written. */
type OpenedFile = Omit<FileUse, 'path'> & { readonly text: string }

/** The files that a redirect opens; none if it only joins descriptors. */
function readRedirect(
  { operator, target, body }: Redirect,
  around: Surroundings,
): Result<readonly OpenedFile[]> {
  const literal = readLiteral(target, around)
  if (literal.type === 'refused') return literal
  const { path: text, glob } = literal.value
  if (body !== undefined) return isText(target) ? ok([]) : refused('it holds a here-document')
  if (glob) return refused('it redirects to a glob')
  if (!opensFile({ operator, target: text })) return ok([])
  return ok((opens[operator] ?? []).map((access) => ({ text, access, glob, by: 'redirect' as const })))
}

function expandTilde(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path
}
