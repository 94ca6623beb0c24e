import type { Field } from '../../bash/fields.ts'
import { anyWord } from '../code.ts'
import { withoutOptions } from '../copying.ts'
import { published } from '../dangers.ts'
import type { Family, Language, Pattern, Program } from '../program.ts'
import { folderAfter, orHere, outputOption } from '../program-options.ts'
import { printsVersion } from '../readers.ts'
import { fieldsAfter, hasOne, hasWord } from '../word-fields.ts'
import { launcher, shell } from '../wrapping.ts'
import { formatsBy } from './formatters.ts'

const shellWithCode: Program = { ...shell, runsCode: hasOne(/^-[a-zA-Z]*c$/) }
const scripting = hasOne(/^-(c|e|Command)$/)

const python: Program = {
  language: {
    code: /^-[A-Za-z]*[cm]/,
    valued: /^-[A-Za-z]*[WXQ]$|^--/,
    goesOn: /^-[A-Zbdhinquvx]*i/,
  },
  runsCode: hasOne(/^-[a-zA-Z]*c/),
  fills: filledByPython,
  gathers: gatheredByPython,
}

const perl: Program = {
  language: { code: /^-[A-Za-z]*[eE]/, valued: /^-[A-Za-z]*[CEFIKMmrx]$/ },
  runsCode: hasOne(/^-[a-zA-Z]*[eE]/),
}

/** Options of `node` that load or run code besides the files that it tests. */
const loadsCode =
  /^(-[a-z]*[epr]|-C|--(eval|print|require|import|(experimental-)?loader|test-(reporter|global-setup)|env-file))(=|$)/

const nodeLanguage: Language = {
  code: /^(-[ep]+|--eval|--print)/,
  valued: /^-[rC]$|^--[a-z-]+$/,
  goesOn: /^(-i|--interactive)$/,
}

const node: Program = {
  language: nodeLanguage,
  runsCode: hasOne(/^(-[a-z]*[ep]|--(eval|print)(=|$))/),
}

/** `node --test` runs the tests that it finds or is given, and ignores its input. */
const testingNode: Program = {
  ...node,
  language: { ...nodeLanguage, finds: /^--test$/ },
  openAfter: /^--test$/,
  doesMore: ([first, ...args]) => first === '--test' && args.some((arg) => loadsCode.test(arg)),
}

const php: Program = {
  language: { code: /^-[rBR]/, valued: /^-[cdzt]$/, goesOn: /^-a$/ },
  runsCode: hasOne(/^-[rBRE]/),
}

const lua: Program = {
  language: { code: /^-e/, valued: /^-[lW]$/, goesOn: /^-i$/ },
  runsCode: hasOne(/^-[a-zA-Z]*[eE]/),
}

/** The module that Python runs, and the words for it. */
function moduleOf(args: readonly Field[]): readonly [name: string, words: readonly Field[]] {
  const at = args.findIndex(({ text }) => /^-[A-Za-z]*m/.test(text))
  const [option, next] = args.slice(at)
  const attached = option?.text.replace(/^-[A-Za-z]*?m/, '') ?? ''
  if (at === -1) return ['', []]
  return attached === '' ? [next?.text ?? '', args.slice(at + 2)] : [attached, args.slice(at + 1)]
}

/** The folders of `python -m venv`, and those that `zipfile -e` and `tarfile -e` unpack into. */
function filledByPython(args: readonly Field[]): readonly Field[] {
  const [module, words] = moduleOf(args)
  if (/^(venv|virtualenv)$/.test(module)) return withoutOptions(words)
  const isUnpacking = /^(zip|tar)file$/.test(module) && hasWord(words, /^(-e|--ex)/)
  return isUnpacking ? orHere(withoutOptions(words).slice(1)) : []
}

/** The folders that `zipfile -c` and `tarfile -c` pack, and the one that `http.server` serves. */
function gatheredByPython(args: readonly Field[]): readonly Field[] {
  const [module, words] = moduleOf(args)
  if (module === 'http.server') return orHere(fieldsAfter(words, /^(-d|--dir[a-z]*)/))
  const isPacking = /^(zip|tar)file$/.test(module) && hasWord(words, /^(-c|--cr)/)
  return isPacking ? withoutOptions(words).slice(1) : []
}

const byVersion = printsVersion('-v --version')
const repl: Program = { obeysInput: true }

/** Shells, languages and other programs that run what they read. */
export const interpreters: Family = {
  'sh bash dash zsh ksh fish': { ...shellWithCode, endsOptions: true },
  mksh: shellWithCode,
  'rbash ash ksh93 rksh lksh oksh loksh pdksh posh yash osh ysh csh tcsh nu nushell elvish xonsh ion': shell,
  'pwsh powershell': { ...shell, runsCode: scripting },
  // With `-v`, Python reads a program from its input.
  'python python3': { ...python, reads: printsVersion('-V --version'), endsOptions: true },
  'perl ruby': {
    ...perl,
    reads: byVersion,
    inPlace: /^-[A-Za-z]*i|^--in-p/,
    mayWrite: 'any file',
    endsOptions: true,
  },
  node: { ...testingNode, reads: byVersion, endsOptions: true },
  nodejs: testingNode,
  bun: { ...node, worksIn: folderAfter(/^--cwd(?==|$)/), endsOptions: true, danger: published },
  php: { ...php, reads: byVersion, endsOptions: true },
  lua: { ...lua, endsOptions: true },
  osascript: { ...lua, runsCode: scripting },
  deno: { fills: formatsBy(/^fmt$/), language: anyWord, runsCode: hasOne(/^eval$/), endsOptions: true },
  java: { reads: printsVersion('-version --version') },
  expect: { ...repl, runs: /^-c/ },
  'at batch': { ...repl, readsScript: true },
  'dc bc tclsh wish gnuplot irb pry ghci ipython ipython3 julia r octave erl iex scala jshell ocaml': repl,
  'sbcl clisp guile racket swipl': repl,
  m4: { ...repl, outputs: outputOption },
  gdb: { ...repl, ...launcher('--args'), runs: /^--?(i?ex|i?x|ev[a-z-]*|init-[a-z-]*|command)(=|$)/ },
  lldb: { ...repl, runs: /^(-[oOsSk]|--(one-line|source))/ },
}

export const interpretersByPattern: readonly Pattern[] = [
  [/^python[\d.]*$/, { ...python, endsOptions: true }],
  [/^pypy[\d.]*$/, python],
  [/^(perl|ruby)[\d.]*$/, perl],
  [/^php[\d.]*$/, php],
  [/^lua[\d.]*$/, lua],
]
