import { isDetour } from './carriers.ts'
import { gitOperands, readOnlyGit } from './git.ts'
import { gitRunsOther } from './git-runs.ts'
import { type Arguments, afterPattern, findTest, hasOption, readArguments } from './options.ts'

/** What is known of a command that changes nothing. */
interface Reader {
  /** Letters of its short options that take a value which is no file: on every system, or what follows is not looked at. */
  readonly valued?: string
  /** Which operands are files: all by default. */
  readonly files?: (given: Arguments, args: readonly string[]) => readonly string[]
  /** Absent: whatever its words are, it only reads. */
  readonly accepts?: (given: Arguments, args: readonly string[]) => boolean
  /** Globs may stand among its words: whatever files answer to them, it only reads. Default: where it accepts all words. */
  readonly globs?: boolean
}

const none = () => []
const afterFirst = ({ operands }: Arguments) => operands.slice(1)
const isAlone = (_: Arguments, args: readonly string[]) => args.length === 0
const without =
  (letters: string, ...long: readonly string[]) =>
  (given: Arguments) =>
    !hasOption(given, letters, long)

const text: Reader = { files: none }
const grep: Reader = { valued: 'eABCmdD', files: afterPattern }
const sum: Reader = {}
const version: Reader = { files: none, accepts: isVersion }
const awk: Reader = { valued: 'Fv', files: afterFirst, accepts: isAwkRead, globs: true }

function findFolders(_: Arguments, args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => findTest.test(arg))
  return (end === -1 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'))
}

/** Also what has it take its folders from elsewhere. */
const actsInFind = /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf|files0-from|f)$/
const sedLines = /^(\d+|\$)(,(\d+|\$))?p$/
const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

const readers: Readonly<Record<string, Reader>> = {
  ls: {},
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
  cmp: { valued: 'in' },
  stat: { valued: 'c' },
  du: { valued: 'dBt', accepts: without('', '--files0-from'), globs: true },
  df: { valued: 'Bt' },
  readlink: {},
  realpath: {},
  od: { valued: 'AjNStw' },
  hexdump: { valued: 'nse' },
  strings: { valued: 'net' },
  md5sum: sum,
  sha1sum: sum,
  sha256sum: sum,
  sha512sum: sum,
  cksum: sum,
  jq: { accepts: isJqRead, globs: true },
  grep,
  egrep: grep,
  fgrep: grep,
  echo: text,
  pwd: text,
  true: text,
  false: text,
  ':': text,
  seq: text,
  expr: text,
  tr: text,
  basename: text,
  dirname: text,
  uname: text,
  whoami: text,
  id: text,
  groups: text,
  arch: { files: none, accepts: isAlone },
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
  printf: {
    files: none,
    accepts: (_, [format = '']) => !format.startsWith('-') && !/%[^%a-zA-Z]*[lhjztL]*n/.test(format),
  },
  test: { files: (_, args) => testedFiles(args), accepts: isFileTest },
  '[': bracket(']'),
  '[[': bracket(']]'),
  command: { files: none, accepts: (_, args) => args.length > 1 && /^-[vV]$/.test(args[0] ?? '') },
  set: { files: none, accepts: (_, args) => /^(-[eux]+|-[eux]*o pipefail)$/.test(args.join(' ')) },
  ...Object.fromEntries(
    'node python python3 perl php gcc g++ clang make java docker'.split(' ').map((name) => [name, version]),
  ),
  awk,
  gawk: awk,
  mawk: awk,
  xargs: {
    files: (_, args) => readsOnly(fedCommand(args), false) ?? [],
    accepts: (_, args) => isFedSafely(args),
  },
  find: { files: findFolders, accepts: (_, args) => !args.some((arg) => actsInFind.test(arg)) },
  fd: { accepts: without('xX', '--exec', '--exec-batch') },
  rg: {
    valued: 'eABCmgtT',
    files: afterPattern,
    accepts: without('z', '--pre', '--hostname-bin', '--search-zip'),
  },
  sort: {
    valued: 'tkSo',
    accepts: without('oT', '--output', '--compress-program', '--temporary-directory', '--files0-from'),
  },
  uniq: { valued: 'fsw', accepts: ({ operands }) => operands.length <= 1 },
  xxd: { accepts: isDump },
  base64: { valued: 'wi', accepts: without('o', '--output') },
  diff: { valued: 'UCIxWF', accepts: without('l', '--paginate') },
  tree: { valued: 'LIP', accepts: without('oR', '--output') },
  file: { valued: 'eFP', accepts: without('CfzZ', '--compile', '--files-from', '--uncompress') },
  sed: { files: afterFirst, accepts: isSedPrint },
  git: { files: (_, args) => gitOperands(args), accepts: (_, args) => readOnlyGit(args) },
}

function isSedPrint({ options, operands: [script = ''] }: Arguments): boolean {
  return options.length === 1 && /^(-n|--quiet|--silent)$/.test(options[0] ?? '') && sedLines.test(script)
}

/** A program that neither writes nor runs, and takes its files from its words alone. */
function isAwkRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  return !/[>|@\n]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/.test(program.replaceAll('||', ''))
}

/** The command that xargs runs, which is `echo` where there is none. */
function fedCommand(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !/^-([0r]|[nP]\d+)$/.test(arg))
  return at === -1 ? ['echo'] : args.slice(at)
}

/** Whether nothing of the files comes out that xargs finds in its input, which may be any: no more than how much they hold. */
function isFedSafely(args: readonly string[]): boolean {
  const [name = '', ...words] = fedCommand(args)
  return (
    /^(echo|wc|basename|dirname|cksum|(md5|sha\d+)sum)$/.test(name) &&
    readsOnly([name, ...words], false) !== undefined
  )
}

function isVersion(_: Arguments, args: readonly string[]): boolean {
  return args.length === 1 && /^(-v|-V|--version)$/.test(args[0] ?? '')
}

function isDateShown({ options, operands }: Arguments): boolean {
  const shows = /^(-[uR]+|-I\w*|-[dr].*|--(utc|universal|rfc-email|iso-8601|rfc-3339|date|reference))$/
  return options.every((one) => shows.test(one)) && operands.every((one) => one.startsWith('+'))
}

/** What names a variable (`-v`), or compares numbers, also runs what a subscript in its words substitutes. */
function isFileTest(_: unknown, args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  if (third === undefined) return fileTest.test(first)
  if (/^-(eq|ne|lt|le|gt|ge)$/.test(second))
    return [first, third].every((one) => /^(-?\d+|\$[?#])$/.test(one))
  return /^(=|==|!=|-nt|-ot|-ef)$/.test(second)
}

function testedFiles(args: readonly string[]): readonly string[] {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args
  if (third === undefined) return /^-[nz]$/.test(first) ? [] : [second]
  return second.startsWith('-') ? [first, third] : []
}

/** A test in brackets. */
function bracket(close: string): Reader {
  return {
    files: (_, args) => testedFiles(args.slice(0, -1)),
    accepts: (given, args) => args.at(-1) === close && isFileTest(given, args.slice(0, -1)),
  }
}

/** What reads the environment, or files that it names itself, is a word of the program. */
function isJqRead(_: Arguments, args: readonly string[]): boolean {
  return !args.some((arg) => /(?<![.\w"])env\b|\$ENV\b|\b(import|include|modulemeta)\b/.test(arg))
}

/** An `e` without a dash, and `-E`, show the environment of processes, with the keys in it. */
function isProcessList(_: Arguments, args: readonly string[]): boolean {
  const { operands } = readArguments(args, 'oOCuUp')
  return (
    !operands.some((one) => /^[A-Za-z]*e/.test(one)) && !args.some((arg) => /^-[A-Za-z]*E|environ/.test(arg))
  )
}

/** Of xxd's short options each is one word; a second operand is what it writes to. */
function isDump(_: Arguments, args: readonly string[]): boolean {
  const left = args.join('\0').replace(/(^|\0)-([abCdeEipu]|ps|[cglos]\0?[+-]?(0x)?[\da-f]+)(?=\0|$)/g, '')
  return /^\0?[^-\0][^\0]*$|^(\0-)?$/.test(left)
}

const systemFolders = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/

/** A command's name, where it is that of a command of the system and not of a file that lies about. */
export function systemName(word: string): string {
  return word.replace(systemFolders, '')
}

/** Whether a program by this name has ways to be called in which it only reads. */
export function isReader(name: string): boolean {
  return Object.hasOwn(readers, name) && readers[name] !== version
}

/** The files that a command reads, if reading is all it does; `undefined` where it may do more. `globs`: words hold some. */
export function readsOnly(words: readonly string[], globs: boolean): readonly string[] | undefined {
  const [word = '', ...args] = words
  const name = systemName(word)
  if (!Object.hasOwn(readers, name)) return undefined
  const reader = readers[name]
  if (reader === undefined) return undefined
  const given = readArguments(args, reader.valued)
  if (globs && !(reader.globs ?? reader.accepts === undefined)) return undefined
  if (reader.accepts?.(given, args) === false) return undefined
  const files = reader.files?.(given, args) ?? given.operands
  const named =
    reader.files === none || name === 'git' ? [] : args.flatMap((arg) => pathIn(arg, reader.valued))
  return [...files, ...named].filter((file) => file !== '-' && file !== '')
}

/** The path that stands in the same word as its option: `--file=a/b`, `-f../x`, behind other letters too. */
function pathIn(arg: string, valued = ''): readonly string[] {
  const value = /^--?[\w-]+=(.*\/.*|[^*?[]+)$/.exec(arg)?.[1]
  if (value !== undefined) return [value]
  const [, letters = '', rest] = /^-([A-Za-z0-9]+)=?(\.\.|\/|[^=].*\/.*)$/.exec(arg) ?? []
  return rest === undefined || [...letters].some((letter) => valued.includes(letter)) ? [] : [rest]
}

/** Whether a command runs others or removes files by its options, so that the words before them do not say what it does. */
export function runsMore([word = '', ...args]: readonly string[]): boolean {
  const name = systemName(word)
  if (name === 'find') return args.some((arg) => actsInFind.test(arg))
  if (name === 'git' && gitRunsOther(args)) return true
  return /^(watch|setsid|ionice|flock)$/.test(name) || isDetour(name, args)
}
