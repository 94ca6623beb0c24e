import type { Family, Language, Pattern, Program } from '../program.ts'
import { version } from '../readers.ts'

const python: Language = {
  code: /^-[A-Za-z]*[cm]/,
  valued: /^-[A-Za-z]*[WXQ]$|^--/,
  goesOn: /^-[A-Zbdhinquvx]*i/,
}
const perl: Language = { code: /^-[A-Za-z]*[eE]/, valued: /^-[A-Za-z]*[CEFIKMmrx]$/ }
const node: Language = {
  code: /^(-[ep]+|--eval|--print)/,
  valued: /^-[rC]$|^--[a-z-]+$/,
  goesOn: /^(-i|--interactive)$/,
}
const php: Language = { code: /^-[rBR]/, valued: /^-[cdzt]$/, goesOn: /^-a$/ }
const lua: Language = { code: /^-e/, valued: /^-[lW]$/, goesOn: /^-i$/ }

const perlInPlace = /^-[A-Za-z]*i|^--in-p/
const byVersion = version('-v --version')

/** With `-v`, Python reads a program from its input. */
const pythonVersion = version('-V --version')

const repl: Program = { obeysInput: true }

/** Shells, languages, databases and other programs that run what they read. */
export const interpreters: Family = {
  'sh bash rbash dash ash zsh ksh ksh93 rksh mksh lksh oksh loksh pdksh posh yash osh ysh csh tcsh': {
    isShell: true,
  },
  'fish nu nushell pwsh powershell elvish xonsh ion': { isShell: true },
  'python python3': { reads: pythonVersion, language: python },
  perl: { reads: byVersion, language: perl, inPlace: perlInPlace, writesAny: true, mayWrite: true },
  ruby: { reads: byVersion, language: perl, inPlace: perlInPlace, writesAny: true },
  node: { reads: byVersion, language: node },
  'nodejs bun': { language: node },
  php: { reads: byVersion, language: php },
  osascript: { language: lua },
  deno: { language: { code: /^(?=.)/, valued: /^-$/ } },
  java: { reads: version('-version --version') },
  expect: { ...repl, runs: /^-c/ },
  // Dot and backslash commands act in the client, not in the database.
  sqlite3: {
    ...repl,
    runs: /^(--?(cmd|init)|(?=(.*\n)?[ \t]*\.(s[hy]|i(?!nd)|o|l(?!i)|e(?!x?it)|r)))/s,
  },
  psql: { ...repl, runs: /^(?=.*(\\([!giow]|copy)|program\s*['$e]))/is },
  'mysql mariadb redis-cli mongo mongosh': repl,
  'at batch dc bc tclsh wish gnuplot irb pry ghci ipython ipython3 julia r octave erl iex scala jshell ocaml':
    repl,
  'sbcl clisp guile racket swipl': repl,
  m4: { ...repl, outputs: /^(-[a-z]*?o|--output)/ },
  gdb: { ...repl, runs: /^(-ex|-iex|--eval-command)/, launches: ['--args'] },
  lldb: { ...repl, runs: /^(-[oO]|--one-line)/ },
}

export const interpretersByPattern: readonly Pattern[] = [
  [/^(python|pypy)[\d.]*$/, { language: python }],
  [/^(perl|ruby)[\d.]*$/, { language: perl }],
  [/^php[\d.]*$/, { language: php }],
  [/^lua[\d.]*$/, { language: lua }],
]
