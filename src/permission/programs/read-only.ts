import { type Arguments, afterPattern, findTest, hasOption, pathIn, readArguments } from './arguments.ts'
import { isDetour } from './exec-options.ts'
import { isFileTest, testedFiles } from './file-test.ts'
import { isAwkRead, isJqRead, isSedPrint, sedFiles } from './filter-program.ts'
import { gitContents, gitOperands, readOnlyGit } from './git/reads.ts'
import { gitRunsOther } from './git/runs.ts'
import { isDateShown, isDump, isPrinted, isProcessList } from './harmless-calls.ts'
import { versionWords } from './version-words.ts'

/** How to call a command so that it changes nothing. */
interface Reader {
  /**
   * Letters of short options whose value is not a file. Only those that take a value on every system: the value is not checked.
   */
  readonly valued?: string
  /** Long options whose value is the next word and not a file. */
  readonly valuedLong?: RegExp
  /** The operands that are files. Default: all. */
  readonly files?: (given: Arguments, args: readonly string[]) => readonly string[]
  /** Whether the command only reads with these words. Default: always. */
  readonly accepts?: (given: Arguments, args: readonly string[]) => boolean
  /** Whether words may hold globs, so that it only reads whatever files match. Default: true if `accepts` is absent. */
  readonly globs?: boolean
  /** Words that include every operand whose contents the command prints. Default: `files`. */
  readonly contents?: (args: readonly string[]) => readonly string[]
  /** Called any other way, it runs what its words or files say. */
  readonly runs?: boolean
}

const none = () => []
const only = (words: string) => (_: Arguments, args: readonly string[]) => args.join(' ') === words
const afterFirst = ({ operands }: Arguments) => operands.slice(1)
const without =
  (letters: string, ...long: readonly string[]) =>
  (given: Arguments) =>
    !hasOption(given, letters, long)

const text: Reader = { files: none }
const grep: Reader = { valued: 'eABCmdD', files: afterPattern }
const sum: Reader = {}
const version = (words: readonly string[]): Reader => ({
  files: none,
  accepts: (_, args) => args.length === 1 && words.includes(args[0] ?? ''),
  runs: true,
})
const fd: Reader = { accepts: without('xX', '--exec', '--exec-batch'), contents: none }
const git: Reader = {
  files: (_, args) => gitOperands(args),
  contents: gitContents,
  accepts: (_, args) => readOnlyGit(args),
}
const awk: Reader = { valued: 'Fv', files: afterFirst, accepts: isAwkRead, globs: true }

function findFolders(_: Arguments, args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => findTest.test(arg))
  return (end === -1 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'))
}

/** Includes options that take the folders from a file. */
const actsInFind = /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf|files0-from|f)$/

const readers: Readonly<Record<string, Reader>> = {
  ls: { contents: none },
  cat: {},
  head: { valued: 'nc' },
  tail: { valued: 'ncs' },
  wc: { accepts: without('', '--files0-from'), globs: true },
  nl: { valued: 'bdfhilnsvw' },
  tac: { valued: 's' },
  rev: {},
  cut: { valued: 'dfcb' },
  paste: { valued: 'd' },
  fold: { valued: 'w' },
  expand: { valued: 't' },
  column: { valued: 'csNRHWTO' },
  comm: {},
  join: { valued: 't' },
  cmp: { valued: 'in' },
  stat: { valued: 'c', contents: none },
  du: { valued: 'dBt', accepts: without('', '--files0-from'), globs: true },
  df: { valued: 'Bt' },
  readlink: { contents: none },
  realpath: { contents: none },
  od: { valued: 'AjNSt' },
  hexdump: { valued: 'nse' },
  // `@FILE` holds options, and errors print those that are unknown.
  strings: { valued: 'net', accepts: (_, args) => !args.some((arg) => arg.startsWith('@')) },
  md5sum: sum,
  sha1sum: sum,
  sha256sum: sum,
  sha512sum: sum,
  cksum: sum,
  jq: { files: afterFirst, accepts: isJqRead, globs: true },
  grep,
  egrep: grep,
  fgrep: grep,
  echo: text,
  pwd: text,
  true: text,
  false: text,
  ':': text,
  seq: text,
  numfmt: text,
  expr: text,
  tr: text,
  basename: text,
  dirname: text,
  uname: text,
  whoami: text,
  id: text,
  groups: text,
  arch: { files: none, accepts: only('') },
  hostname: { files: none, accepts: (_, args) => args.every((arg) => /^-[adfiIs]+$/.test(arg)) },
  nproc: text,
  free: text,
  uptime: text,
  pgrep: text,
  ps: { files: none, accepts: isProcessList },
  sleep: text,
  which: text,
  type: text,
  cd: { files: ({ operands }) => (operands.length === 0 ? ['~'] : operands) },
  date: { valued: 'dr', files: none, accepts: isDateShown },
  printf: { files: none, accepts: isPrinted },
  test: { files: (_, args) => testedFiles(args), accepts: (_, args) => isFileTest(args) },
  '[': bracket(']'),
  // Globs in `[[` are patterns, not files.
  '[[': { ...bracket(']]'), globs: true },
  command: { files: none, accepts: (_, args) => args.length > 1 && /^-[vV]$/.test(args[0] ?? '') },
  set: { files: none, accepts: (_, args) => /^([-+][eux]+|[-+][eux]*o pipefail)$/.test(args.join(' ')) },
  ...Object.fromEntries(Object.entries(versionWords).map(([name, words]) => [name, version(words)])),
  awk,
  gawk: awk,
  mawk: awk,
  xargs: {
    files: (_, args) => readsOnly(fedCommand(args), false) ?? [],
    accepts: (_, args) => isFedSafely(args),
  },
  find: {
    files: findFolders,
    accepts: (_, args) => !args.some((arg) => actsInFind.test(arg)),
    contents: none,
  },
  fd,
  fdfind: fd,
  rg: {
    valued: 'eABCmgtT',
    files: afterPattern,
    accepts: without('z', '--pre', '--hostname-bin', '--search-zip'),
  },
  sort: {
    valued: 'tkSo',
    accepts: without('oT', '--output', '--compress-program', '--temporary-directory', '--files0-from'),
  },
  uniq: {
    valued: 'fsw',
    valuedLong: /^--(skip-fields|skip-chars|check-chars)$/,
    accepts: ({ operands }) => operands.length <= 1,
  },
  xxd: { accepts: isDump },
  base64: { valued: 'w', accepts: without('o', '--output') },
  diff: { valued: 'UCIxWF', accepts: without('l', '--paginate') },
  tree: { valued: 'LIP', accepts: without('oR', '--output') },
  file: { valued: 'eFP', accepts: without('CfzZ', '--compile', '--files-from', '--uncompress') },
  sed: { valued: 'e', files: sedFiles, accepts: isSedPrint },
  git,
}

/** The command that xargs runs. Default: `echo`. The input may only replace `{}` or `%`. */
function fedCommand(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length) {
    if (/^-([0r]|[nP]\d+|I(\{\}|%))$/.test(args[at] ?? '')) at++
    else if (args[at] === '-I' && /^(\{\}|%)$/.test(args[at + 1] ?? '')) at += 2
    else return args.slice(at)
  }
  return ['echo']
}

/** Whether xargs prints nothing of the files named in its input, which can be any, besides counts and checksums. */
function isFedSafely(args: readonly string[]): boolean {
  const [name = '', ...words] = fedCommand(args)
  const isPut = args.slice(0, args.length - words.length).some((arg) => arg.startsWith('-I'))
  const safe = isPut ? /^(echo|basename|dirname)$/ : /^(echo|wc|basename|dirname|cksum|(md5|sha\d+)sum)$/
  return safe.test(name) && readsOnly([name, ...words], false) !== undefined
}

/** A reader for `[` or `[[`. */
function bracket(close: string): Reader {
  return {
    files: (_, args) => testedFiles(args.slice(0, -1)),
    accepts: (_, args) => args.at(-1) === close && isFileTest(args.slice(0, -1)),
  }
}

const systemFolders = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/

/** The plain name of a system command. Any other path stays as it is. */
export function systemName(word: string): string {
  return word.replace(systemFolders, '')
}

function readerOf(word: string): Reader | undefined {
  const name = systemName(word)
  return Object.hasOwn(readers, name) ? readers[name] : undefined
}

/** Whether some calls of this program only read. */
export function isReader(name: string): boolean {
  const reader = readerOf(name)
  return reader !== undefined && reader.runs !== true
}

/** The files that a command reads; `undefined` if it may do more than read. `globs`: its words hold globs. */
export function readsOnly(
  [word = '', ...args]: readonly string[],
  globs: boolean,
): readonly string[] | undefined {
  const reader = readerOf(word)
  const files = reader && operandsRead(reader, args, globs)
  if (reader === undefined || files === undefined) return undefined
  const named =
    reader.files === none || reader === git ? [] : args.flatMap((arg) => pathIn(arg, reader.valued))
  return [...files, ...named].filter((file) => file !== '-' && file !== '')
}

/** Files that a read-only command is given. It prints the contents of some, and only the names of others. */
export interface NamedFiles {
  readonly contents: readonly string[]
  readonly names: readonly string[]
}

/** Returns `undefined` if the command may do more than read. `globs`: its words hold globs. */
export function filesNamed([word = '', ...args]: readonly string[], globs: boolean): NamedFiles | undefined {
  const reader = readerOf(word)
  const files = reader && operandsRead(reader, args, globs)
  if (files === undefined) return undefined
  const contents = reader?.contents?.(args) ?? files
  return { contents, names: files.filter((file) => !contents.includes(file)) }
}

function operandsRead(
  reader: Reader,
  args: readonly string[],
  globs: boolean,
): readonly string[] | undefined {
  const given = readArguments(args, reader.valued, reader.valuedLong)
  if (globs && !(reader.globs ?? reader.accepts === undefined)) return undefined
  if (reader.accepts?.(given, args) === false) return undefined
  return reader.files?.(given, args) ?? given.operands
}

/** Letters of options that write to a file. `--output` does so in all of these commands. */
const writing: Readonly<Record<string, string>> = { git: '', sort: 'o', tree: 'o', base64: 'o' }

/** Whether options make a command run others, or write or remove files, so that its first words do not show what it does. */
export function runsMore([word = '', ...args]: readonly string[]): boolean {
  const name = systemName(word)
  const letters = Object.hasOwn(writing, name) ? writing[name] : undefined
  if (letters !== undefined && hasOption(readArguments(args), letters, ['--output'])) return true
  if (name === 'find') return args.some((arg) => actsInFind.test(arg))
  if (name === 'git' && gitRunsOther(args)) return true
  return /^(watch|setsid|ionice|flock)$/.test(name) || isDetour(name, args)
}
