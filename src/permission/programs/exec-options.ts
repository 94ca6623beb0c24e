import type { Field } from '../bash/fields.ts'
import { fieldsOf, valuesAfter } from './arguments.ts'

const search = /^(-[HIusiFgalLp01q]*[xX]|--exec(-batch)?(?==|$))/
/** Includes options for where the compiler looks for its own parts and the programs it runs. */
const compiler = /^(-wrapper|-fplugin=|--?specs|-B)/

/** Options whose value a program runs, or passes to something that does. */
const options: Readonly<Record<string, RegExp>> = {
  tar: /^(--to-c[a-z-]*|--checkpoint-a[a-z-]*|--use-c[a-z-]*|--info-s[a-z-]*|--new-v[a-z-]*|--rsh-c[a-z-]*|--rm[a-z-]*|-[IF])/,
  rsync: /^(-[A-Za-z]*e|--rsh|--rsync-path)/,
  ssh: /^-[46AaCfGgKkMNnqsTtVvXxYy]*[oF]/,
  scp: /^-[346ABCOpqRrTv]*[oSF]/,
  sftp: /^-[46AaCfNpqrv]*[oSF]/,
  wget: /^(--use-a[a-z-]*|--conf[a-z]*|(-e|--exe[a-z]*=)?use[-_]?ask[-_]?pass)/i,
  sort: /^--c[a-z-]*/,
  fd: search,
  fdfind: search,
  rg: /^--(pre|hostname-bin)(?==|$)/,
  man: /^(-[PH]|--pager|--html)/,
  zip: /^(-TT|--unzip-command)/,
  vim: /^(-c|--cmd|\+)/,
  nvim: /^(-c|--cmd|\+)/,
  vi: /^(-c|--cmd|\+)/,
  ex: /^(-c|--cmd|\+)/,
  less: /^\+/,
  gdb: /^(-ex|-iex|--eval-command)/,
  lldb: /^(-[oO]|--one-line)/,
  nc: /^(-[ec]|--exec|--sh-exec)/,
  ncat: /^(-[ec]|--exec|--sh-exec)/,
  socat: /^(?=[A-Za-z])/,
  expect: /^-c/,
  fzf: /^--(preview|bind)/,
  make: /^(\.?SHELL\w*=|--ev[a-z]*)/,
  npm: /^(-c|--call|--script-s[a-z]*)/,
  pnpm: /^--script-s[a-z]*/,
  go: /^--?(exec|toolexec|vettool)/,
  split: /^--fi[a-z]*/,
  apt: /^-o/,
  'apt-get': /^-o/,
  'nix-shell': /^--(run|command)/,
  vagrant: /^(-c|--command)/,
  bind: /^-x/,
  gcc: compiler,
  'g++': compiler,
  cc: compiler,
  'c++': compiler,
  clang: compiler,
  'clang++': compiler,
  tcpdump: /^-[A-Za-z#]*z/,
  // Dot and backslash commands act in the client, not in the database.
  sqlite3: /^(--?(cmd|init)|(?=(.*\n)?[ \t]*\.(s[hy]|i(?!nd)|o|l(?!i)|e(?!x?it)|r)))/s,
  psql: /^(?=.*(\\([!giow]|copy)|program\s*['$e]))/is,
}

/** A program that runs code in its own language. */
interface Language {
  readonly name: RegExp
  /** Options before code or a module. An expression that matches the empty text: any word may be code. */
  readonly code: RegExp
  /** Options that take the next word as their value, so that it is not a file to run. */
  readonly valued: RegExp
  /** Options that make it read its input as well. */
  readonly goesOn?: RegExp
}

const languages: readonly Language[] = [
  {
    name: /^(python|pypy)[\d.]*$/,
    code: /^-[A-Za-z]*[cm]/,
    valued: /^-[A-Za-z]*[WXQ]$|^--/,
    goesOn: /^-[A-Zbdhinquvx]*i/,
  },
  { name: /^(perl|ruby)[\d.]*$/, code: /^-[A-Za-z]*[eE]/, valued: /^-[A-Za-z]*[CEFIKMmrx]$/ },
  {
    name: /^(node|nodejs|bun)$/,
    code: /^(-[ep]+|--eval|--print)/,
    valued: /^-[rC]$|^--[a-z-]+$/,
    goesOn: /^(-i|--interactive)$/,
  },
  { name: /^php[\d.]*$/, code: /^-[rBR]/, valued: /^-[cdzt]$/, goesOn: /^-a$/ },
  { name: /^(lua[\d.]*|osascript)$/, code: /^-e/, valued: /^-[lW]$/, goesOn: /^-i$/ },
  { name: /^([gmn]?awk|sed|gsed|deno)$/, code: /^(?=.)/, valued: /^-$/ },
]

/** Looks up an interpreter's language by the program's name. */
export function languageOf(name: string): Language | undefined {
  return languages.find((one) => one.name.test(name))
}

/** Options of npm and its kin, with one or two dashes. They may be abbreviated down to the slash. */
const packageDetours = new RegExp(
  `^(-C|--?(${'sc/ript-shell node-o/ptions prefi/x dir/ cw/d userc/onfig globalc/onfig git/ she/ll config/ use-yarnrc/ ed/itor vi/ewer br/owser init-/module'
    .split(' ')
    .map(shortened)
    .join('|')})([.=]|$))`,
)

function shortened(option: string): string {
  const [head = '', tail = ''] = option.split('/')
  return head + [...tail].reduceRight((rest, letter) => `(${letter}${rest})?`, '')
}

/** Options that make a program use other files, folders or settings than its words suggest. */
const detours: Readonly<Record<string, RegExp>> = {
  // A variable set to a switch or a number names no program, unless it says what is run or loaded.
  make: /^(-[A-Za-z]*[fCIE]|--(fi|mak|dir|inc|ev)[a-z-]*|(MAKE\w*|LD_\w*|\w*(PATH|FLAGS|ENV)|SHELL|IFS)=|(?!\w+=(\d+|y|yes|no?|true|false)$)[^-=][^=]*=)/,
  npm: packageDetours,
  pnpm: packageDetours,
  yarn: packageDetours,
  go: /^--?(C|modfile|overlay|ldflags|gccgoflags|gcflags)(=|$)/,
  ip: /^(e(x|xe|xec)?|-b(a[tch]*)?)$/,
  cargo: /^(--(config|manifest-path|target-dir)|-[CZ])/,
}

/** Whether these options make a program run something that its first words do not name. */
export function isDetour(name: string, args: readonly string[]): boolean {
  const own = ownWords(name, args)
  const has = (table: Readonly<Record<string, RegExp>>) =>
    Object.hasOwn(table, name) && own.some((arg) => table[name]?.test(arg) === true)
  if (has(options) || has(detours)) return true
  return /awk$|sed$/.test(name) && carriedScripts(name, fieldsOf(own)).length > 0
}

/** A program's own words, without those for what it runs. For go, linker flags that only name or strip are dropped. */
function ownWords(name: string, args: readonly string[]): readonly string[] {
  const handsOn = name === 'cargo' ? /^(run|test|bench)$/.test(args[0] ?? '') : /^(p?npm|yarn)$/.test(name)
  const end = handsOn ? args.indexOf('--') : -1
  if (end !== -1) return args.slice(0, end)
  if (name === 'ssh') return upToSecond(args)
  if (name !== 'go') return args
  const own = args[0] === 'run' ? upToSecond(args) : args
  return own
    .join('\0')
    .replace(/\0--?ldflags[=\0]((-[sw]|-X[ =][^\s\0]+)( |(?=\0|$)))*(?=\0|$)/g, '')
    .split('\0')
}

/** Up to the second word that is certainly neither an option nor its value. */
function upToSecond(args: readonly string[]): readonly string[] {
  const operands = args.flatMap((arg, i) => (/^-/.test(arg) || /^-[^=]*$/.test(args[i - 1] ?? '') ? [] : [i]))
  return args.slice(0, (operands[1] ?? args.length) + 1)
}

/** Options whose value is a text for people. */
export const carriesMessage: RegExp = /^(-m|--(message|title|body|notes|description|comment))$/

/** Marks of code that runs commands. */
export const runsCommands: RegExp =
  /system|exec|popen|spawn|subprocess|child_process|passthru|Command|shell|[`|]|qx/
/** A command that sed runs, or a replacement with the `e` flag. */
const sedRuns = /(?:^|[;{}\s\d$/])e\s+([^\n]+)|([^\n]*)\/[gpiIm\d]*e[gpiIm\d]*(?=$|[;}\s])/g

/** Possible commands in the words that a program passes to a shell, or in code that runs commands. */
export function carriedScripts(name: string, args: readonly Field[]): readonly string[] {
  const own = Object.hasOwn(options, name) ? options[name] : undefined
  const values = own === undefined ? [] : valuesAfter(args, own)
  const language = languageOf(name)
  const code = language === undefined ? [] : valuesAfter(args, language.code)
  return [
    ...known(values).flatMap(piecesOf),
    ...known(code).flatMap(/sed$/.test(name) ? sedCommands : literalsOf),
  ]
}

/** The command behind a marker: `exec=rm x`, `:!rm x`, `shell rm x`. */
function piecesOf(value: string): readonly string[] {
  const pieces = [value, ...value.split(/[=!:()"]/)]
  return pieces.flatMap((piece) => [piece, piece.trim().replace(/^\S+\s+/, '')])
}

function sedCommands(script: string): readonly string[] {
  return [...script.matchAll(sedRuns)].flatMap(([, command, replacement = '']) =>
    command === undefined ? replacement.split('/') : [command],
  )
}

/** String literals in code, alone and joined with the next ones, as in `["rm", "x"]`. None if the code runs no commands. */
export function literalsOf(code: string): readonly string[] {
  if (!runsCommands.test(code)) return []
  const literals = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(([, , text = '']) => text)
  return literals.slice(0, 32).flatMap((text, i) => [text, literals.slice(i, i + 4).join(' ')])
}

function known(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined)
}
