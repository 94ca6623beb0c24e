import { readOnlyGit } from './git.ts'
import { type Arguments, hasOption, readArguments } from './options.ts'

/** What is known of a command that changes nothing. */
interface Reader {
  /** Letters of its short options that take a value. */
  readonly valued?: string
  /** Which operands are files: all by default. */
  readonly files?: (given: Arguments, args: readonly string[]) => readonly string[]
  /** Absent: whatever its words are, it only reads. Such a command may also be given globs. */
  readonly accepts?: (given: Arguments, args: readonly string[]) => boolean
}

const none = () => []
const afterFirst = ({ operands }: Arguments) => operands.slice(1)
const without =
  (letters: string, ...long: readonly string[]) =>
  (given: Arguments) =>
    !hasOption(given, letters, long)

/** After the pattern, unless an option gives it. */
function afterPattern(given: Arguments): readonly string[] {
  return hasOption(given, 'ef', ['--regexp', '--file']) ? given.operands : given.operands.slice(1)
}

const text: Reader = { files: none }
const grep: Reader = { valued: 'eABCmdD', files: afterPattern }
const sum: Reader = {}

/** find stops to take folders at the first test. */
function findFolders(_: Arguments, args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => /^(-(?![HLPOD])|[(!])/.test(arg))
  return (end === -1 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'))
}

const actsInFind = /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/
const sedLines = /^(\d+|\$)(,(\d+|\$))?p$/
const fileTest = /^-[bcdefghkLprsuwxOGNSnz]$/

const readers: Readonly<Record<string, Reader>> = {
  ls: { valued: 'ITw' },
  cat: {},
  head: { valued: 'nc' },
  tail: { valued: 'ncs' },
  wc: {},
  nl: { valued: 'bdfhilnsvw' },
  tac: { valued: 's' },
  rev: {},
  cut: { valued: 'dfcb' },
  paste: { valued: 'd' },
  fold: { valued: 'w' },
  expand: { valued: 't' },
  column: { valued: 'stcNRHWTO' },
  comm: {},
  cmp: { valued: 'in' },
  stat: { valued: 'cf' },
  du: { valued: 'dBt' },
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
  jq: { valued: 'L', files: afterFirst },
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
  arch: text,
  nproc: text,
  free: text,
  uptime: text,
  ps: text,
  sleep: text,
  which: text,
  type: text,
  cd: {},
  date: { valued: 'dr', files: none, accepts: isDateShown },
  printf: {
    files: none,
    accepts: (_, [format = '']) => !format.startsWith('-') && !/%[^%a-zA-Z]*[lhjztL]*n/.test(format),
  },
  test: { accepts: isFileTest, files: ({ operands }) => operands },
  command: { files: none, accepts: (_, args) => args.length === 2 && /^-[vV]$/.test(args[0] ?? '') },
  set: { files: none, accepts: (_, args) => /^(-[eux]+|-[eux]*o pipefail)$/.test(args.join(' ')) },
  node: { files: none, accepts: isVersion },
  python: { files: none, accepts: isVersion },
  python3: { files: none, accepts: isVersion },
  find: { files: findFolders, accepts: (_, args) => !args.some((arg) => actsInFind.test(arg)) },
  fd: { files: afterFirst, accepts: without('xX', '--exec', '--exec-batch') },
  rg: {
    valued: 'eABCmgtT',
    files: afterPattern,
    accepts: without('z', '--pre', '--hostname-bin', '--search-zip'),
  },
  sort: { valued: 'tkSo', accepts: without('oT', '--output', '--compress-program', '--temporary-directory') },
  uniq: { valued: 'fsw', accepts: ({ operands }) => operands.length <= 1 },
  xxd: {
    valued: 'cglos',
    accepts: ({ options, operands }) => operands.length <= 1 && !options.some((one) => /^-(r|-r)/.test(one)),
  },
  base64: { valued: 'wi', accepts: without('o', '--output') },
  diff: { valued: 'UCIxWF', accepts: without('l', '--paginate') },
  tree: { valued: 'LIP', accepts: without('o', '--output') },
  file: { valued: 'mefFP', accepts: without('Cz', '--compile', '--uncompress') },
  sed: { files: afterFirst, accepts: isSedPrint },
  git: { files: none, accepts: (_, args) => readOnlyGit(args) },
}

function isSedPrint({ options, operands: [script = ''] }: Arguments): boolean {
  return options.length === 1 && /^(-n|--quiet|--silent)$/.test(options[0] ?? '') && sedLines.test(script)
}

function isVersion(_: Arguments, args: readonly string[]): boolean {
  return args.length === 1 && /^(-v|-V|--version)$/.test(args[0] ?? '')
}

function isDateShown({ options, operands }: Arguments): boolean {
  const shows = /^(-[uR]+|-I\w*|-[dr].*|--(utc|universal|rfc-email|iso-8601|rfc-3339|date|reference))$/
  return options.every((one) => shows.test(one)) && operands.every((one) => one.startsWith('+'))
}

/** What names a variable (`-v`) also runs what its subscript substitutes. */
function isFileTest(_: Arguments, args: readonly string[]): boolean {
  const [first = '', second = '', third, ...more] = args[0] === '!' ? args.slice(1) : args
  if (more.length > 0) return false
  return third === undefined ? fileTest.test(first) : /^(=|==|!=)$/.test(second)
}

const systemFolders = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/

/** A command's name, where it is that of a command of the system and not of a file that lies about. */
export function systemName(word: string): string {
  return word.replace(systemFolders, '')
}

/** The files that a command reads, if reading is all it does; `undefined` where it may do more. `globs`: words hold some. */
export function readsOnly(words: readonly string[], globs: boolean): readonly string[] | undefined {
  const [word = '', ...args] = words
  const name = systemName(word)
  if (!Object.hasOwn(readers, name)) return undefined
  const reader = readers[name]
  if (reader === undefined) return undefined
  const given = readArguments(args, reader.valued)
  if (reader.accepts !== undefined && (globs || !reader.accepts(given, args))) return undefined
  const files = reader.files?.(given, args) ?? given.operands
  const named =
    reader.files === none ? [] : args.flatMap((arg) => /^--?[\w-]+=(.*\/.*)$/.exec(arg)?.[1] ?? [])
  return [...files, ...named].filter((file) => file !== '-' && file !== '')
}

/** Whether a command runs others or removes files by its options. */
export function runsMore([word = '', ...args]: readonly string[]): boolean {
  const name = systemName(word)
  if (name === 'find') return args.some((arg) => actsInFind.test(arg))
  return /^(watch|setsid|ionice|flock)$/.test(name)
}
