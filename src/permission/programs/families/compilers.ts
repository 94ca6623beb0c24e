import { upToSecond } from '../options.ts'
import type { Family, Pattern, Program } from '../program.ts'
import { version } from '../readers.ts'
import { launcher } from '../wrapping.ts'

const outputFile = /^(-o|--output)/

/** With options for where it looks for its own parts and the programs it runs. */
const compiler: Program = {
  reads: version('-v --version'),
  outputs: outputFile,
  runs: /^(-wrapper|-fplugin=|--?specs|-B)/,
  wordsAreData: true,
}

const fixer: Program = { inPlace: /^--(fix|write)/ }
const formatter: Program = { inPlace: /^(--?w|--write)$/ }

/** Compilers, formatters, checkers and test runners. */
export const compilers: Family = {
  'gcc g++ cc c++ clang clang++': compiler,
  rustc: { outputs: outputFile, wordsAreData: true },
  javac: { reads: version('-version --version'), wordsAreData: true },
  'black mypy pytest vitest jest mocha ctest': { wordsAreData: true },
  tsc: { outputs: /^--?out(file|dir)?(?==|$)/i, wordsAreData: true },
  esbuild: { outputs: /^--?out(file|dir)?(?==|$)/i },
  'gofmt goimports': formatter,
  prettier: { ...formatter, wordsAreData: true },
  'eslint ruff biome': { ...fixer, wordsAreData: true },
  'stylelint oxlint': fixer,
  'clang-format shfmt autopep8 yapf': { inPlace: /^(-[iw]|--in-place|--write)$/ },
  'bison flex': { outputs: /^(-[a-z]*?o|--output)/ },
  go: {
    reads: version('version'),
    outputs: /^--?o(?==|$)/,
    runs: /^--?(exec|toolexec|vettool)/,
    detours: /^--?(C|modfile|overlay|ldflags|gccgoflags|gcflags)(=|$)/,
    ownWords: wordsOfGo,
    openAfter: /^(test|vet)$/,
  },
  make: {
    reads: version('-v --version'),
    runs: /^(\.?SHELL\w*=|--ev[a-z]*)/,
    detours: isMakeDetour,
  },
  cmake: { reads: version('--version'), ...launcher('-E') },
}

export const compilersByPattern: readonly Pattern[] = [
  [
    /^(.*-)?(gcc|cc|tcc|[gc]\+\+|clang(\+\+)?|ld|as|gfortran|rustc|nasm|yasm)(-[\d.]+)?$/,
    { outputs: outputFile },
  ],
]

/** Drops linker flags that only name or strip. */
function wordsOfGo(args: readonly string[]): readonly string[] {
  const own = args[0] === 'run' ? upToSecond(args) : args
  return own
    .join('\0')
    .replace(/\0--?ldflags[=\0]((-[sw]|-X[ =][^\s\0]+)( |(?=\0|$)))*(?=\0|$)/g, '')
    .split('\0')
}

/** A variable set to a switch or a number names no program, unless it says what is run or loaded. */
function isMakeDetour(word: string): boolean {
  if (word.startsWith('-')) return /^(-[A-Za-z]*[fCIE]|--(fi|mak|dir|inc|ev))/.test(word)
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
  if (name === '' || /^(MAKE\w*|LD_\w*|\w*(PATH|FLAGS|ENV)|SHELL|IFS)$/.test(name)) return name !== ''
  return !(/^\w+$/.test(name) && /^(\d+|y|yes|no?|true|false)$/.test(value))
}
