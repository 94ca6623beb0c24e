import type { Field } from '../../bash/fields.ts'
import { anyWord } from '../code.ts'
import { withoutOptions } from '../copying.ts'
import { published } from '../dangers.ts'
import type { Family, Language, Pattern, Program } from '../program.ts'
import { outputOption } from '../program-options.ts'
import { printsVersion } from '../readers.ts'
import { launcher, shell } from '../wrapping.ts'

const withOption = (option: RegExp) => (args: readonly string[]) => args.some((arg) => option.test(arg))

const shellWithCode: Program = { ...shell, runsCode: withOption(/^-[a-zA-Z]*c$/) }
const scripting = withOption(/^-(c|e|Command)$/)

const python: Program = {
  language: {
    code: /^-[A-Za-z]*[cm]/,
    valued: /^-[A-Za-z]*[WXQ]$|^--/,
    goesOn: /^-[A-Zbdhinquvx]*i/,
  },
  runsCode: withOption(/^-[a-zA-Z]*c/),
  fills: filledByPython,
}

const perl: Program = {
  language: { code: /^-[A-Za-z]*[eE]/, valued: /^-[A-Za-z]*[CEFIKMmrx]$/ },
  runsCode: withOption(/^-[a-zA-Z]*[eE]/),
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
  runsCode: withOption(/^(-[a-z]*[ep]|--(eval|print)(=|$))/),
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
  runsCode: withOption(/^-[rBRE]/),
}

const lua: Program = {
  language: { code: /^-e/, valued: /^-[lW]$/, goesOn: /^-i$/ },
  runsCode: withOption(/^-[a-zA-Z]*[eE]/),
}

/** The folders of `python -m venv`. */
function filledByPython(args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(({ text }) => text === '-m')
  const [module, ...words] = args.slice(at + 1)
  return at !== -1 && /^(venv|virtualenv)$/.test(module?.text ?? '') ? withoutOptions(words) : []
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
  bun: { ...node, endsOptions: true, danger: published },
  php: { ...php, reads: byVersion, endsOptions: true },
  lua: { ...lua, endsOptions: true },
  osascript: { ...lua, runsCode: scripting },
  deno: { language: anyWord, runsCode: withOption(/^eval$/), endsOptions: true },
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
