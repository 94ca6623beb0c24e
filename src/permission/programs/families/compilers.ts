import { type Field, knownField } from '../../bash/fields.ts'
import type { Family, Pattern, Program, Reader } from '../program.ts'
import { folderAfter, orHere, outputOption, upToSecond } from '../program-options.ts'
import { printsVersion, without } from '../readers.ts'
import { fieldsAfter, hasOne, hasWord } from '../word-fields.ts'
import { launcher } from '../wrapping.ts'

const outputFile = /^(-o|--output|-M[FJ]|-dump(dir|base)|--?out-dir)/

/** Some options name a folder or a program for its own parts. */
const compiler: Program = {
  reads: printsVersion('-v --version'),
  outputs: outputFile,
  runs: /^(-wrapper|-f(pass-)?plugin=|-load(=|$)|-fuse-ld=.*\/|--?specs|--ld-path|--config|-B)/,
  wordsAreData: true,
}

/** Prints what object files hold. Neither with plugins, nor with the debug files that those name, nor with options from a file. */
const objectReader: Reader = {
  accepts: (given, args) =>
    without(
      'gGlSwW',
      '--debugging',
      '--debug-dump',
      '--dwarf',
      '--line-numbers',
      '--plugin',
      '--source',
    )(given) && !args.some((arg) => arg.startsWith('@')),
}

/** The files of a formatter that changes them unless it only checks. */
function unlessChecked(args: readonly Field[], paths: readonly Field[]): readonly Field[] {
  return hasWord(args, /^--(check|diff|check-only)$/) ? [] : paths
}

/** The archive that `jar cf` makes. */
function archiveOfJar(mode: Field | undefined, archive: Field | undefined): readonly Field[] {
  return archive !== undefined && /^[a-z]*[cu][a-z]*$/.test(mode?.text ?? '') ? [archive] : []
}

/** Changes the files that it is given, and those in the folders that it is given, with these options. */
const changerWith = (inPlace: RegExp): Program => ({
  inPlace,
  fills: (args, paths) => (hasWord(args, inPlace) ? orHere(paths) : []),
})

const fixer = changerWith(/^--(fix|write)/)
const formatter = changerWith(/^(--?w|--write)$/)

/** Compilers, formatters, checkers and test runners. */
export const compilers: Family = {
  'gcc g++ cc c++ clang clang++': compiler,
  rustc: { outputs: outputFile, runs: /^(-C|--codegen=)?linker=|^-Z/, wordsAreData: true },
  javac: {
    outputs: /^-[dhs](?=$)/,
    reads: printsVersion('-version --version'),
    runs: /^(-J|--?processor|-Xplugin)/,
    wordsAreData: true,
  },
  'mypy pytest vitest jest mocha ctest': { wordsAreData: true },
  tsc: {
    outputs: /^--?(out(file|dir)?|declarationdir|tsbuildinfofile|generatetrace)(?==|$)/i,
    wordsAreData: true,
  },
  esbuild: { outputs: /^--?(out(file|dir)?|metafile)(?==|$)/i },
  black: { writes: unlessChecked, fills: unlessChecked, wordsAreData: true },
  'isort rustfmt': { writes: unlessChecked, fills: unlessChecked },
  jar: {
    outputs: /^-[a-z]*[cu][a-z]*f/,
    writes: (_, [mode, archive]) => archiveOfJar(mode, archive),
    gathers: (args, operands) => (hasWord(args.slice(0, 1), /^-?[a-z]*[cu]/) ? operands : []),
    readsListed: hasOne(/^@/),
    fills: (args) =>
      hasWord(args.slice(0, 1), /^-?[a-z]*x|^--extract/) ? orHere(fieldsAfter(args, /^(-C|--dir)/)) : [],
  },
  'gofmt goimports': formatter,
  prettier: { ...formatter, wordsAreData: true },
  eslint: { ...fixer, outputs: outputOption, wordsAreData: true },
  biome: {
    ...fixer,
    fills: (args, [, ...paths]) => (hasWord(args, /^--(fix|write)/) ? orHere(paths) : []),
    wordsAreData: true,
  },
  ruff: {
    ...fixer,
    writes: (args, [verb, ...paths]) => (verb?.text === 'format' ? unlessChecked(args, paths) : []),
    fills: (args, [verb, ...paths]) => {
      const isFormat = verb?.text === 'format' && !hasWord(args, /^--(check|diff)$/)
      return isFormat || hasWord(args, /^--fix/) ? orHere(paths) : []
    },
    wordsAreData: true,
  },
  'stylelint oxlint': fixer,
  'clang-format shfmt autopep8 yapf': changerWith(/^(-[iw]|--in-place|--write)$/),
  'bison flex': { outputs: outputOption },
  go: {
    reads: printsVersion('version'),
    outputs: /^--?(o|outputdir|trace|(cover|cpu|mem|block|mutex)profile)(?==|$)/,
    runs: /^--?(exec|toolexec|vettool)/,
    detours: /^--?(C|modfile|overlay|ldflags|gccgoflags|gcflags)(=|$)/,
    writes: (_, [verb, how]) =>
      verb?.text === 'get' || (verb?.text === 'mod' && /^(init|tidy|edit)$/.test(how?.text ?? ''))
        ? [knownField('go.mod'), knownField('go.sum')]
        : [],
    // It changes the flags of all later calls, which may name a program.
    doesMore: ([verb, ...args]) => verb === 'env' && args.some((arg) => /^--?[wu]$/.test(arg)),
    ownWords: wordsOfGo,
    openAfter: /^(test|vet)$/,
  },
  make: {
    reads: printsVersion('-v --version'),
    runs: /^(\.?SHELL\w*=|--ev[a-z]*)/,
    detours: isMakeDetour,
    worksIn: folderAfter(/^(-[A-Za-z]*?C|--dir[a-z]*)/),
  },
  ninja: { worksIn: folderAfter(/^-C/) },
  cmake: {
    reads: printsVersion('--version'),
    outputs: /^(-B|--prefix)/,
    worksIn: folderAfter(/^--build(?==|$)/),
    ...launcher('-E'),
  },
  'strip ranlib': { outputs: outputFile, writes: (_, operands) => operands },
  'nm size readelf objdump': { reads: objectReader },
  objcopy: { writes: (_, operands) => operands.slice(-1) },
}

export const compilersByPattern: readonly Pattern[] = [
  [
    /^(.*-)?(gcc|cc|tcc|[gc]\+\+|clang(\+\+)?|ld|as|gfortran|rustc|nasm|yasm)(-[\d.]+)?$/,
    { outputs: outputFile },
  ],
]

/** The words for go itself, without linker flags that only set a text or strip the program. */
function wordsOfGo(args: readonly string[]): readonly string[] {
  const [subcommand = '', ...own] = args[0] === 'run' ? upToSecond(args) : args
  const words = [subcommand]
  for (let i = 0; i < own.length; i++) {
    const [option, attached] = /^--?ldflags(?:=(.*))?$/s.exec(own[i] ?? '') ?? []
    const flags = option === undefined ? undefined : (attached ?? own[i + 1])
    if (flags === undefined || !harmlessFlags.test(flags)) words.push(own[i] ?? '')
    else if (attached === undefined) i++
  }
  return words
}

/** `-s`, `-w` and `-X name=value`, with one space between them. */
const harmlessFlags = /^((-[sw]|-X[ =]\S+)( |$))*$/

/** A switch or a number names no program, unless the variable decides what runs or is loaded. */
function isMakeDetour(word: string): boolean {
  if (word.startsWith('-')) return /^(-[A-Za-z]*[fCIE]|--(fi|mak|dir|inc|ev))/.test(word)
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
  if (name === '' || /^(MAKE\w*|LD_\w*|\w*(PATH|FLAGS|ENV)|SHELL|IFS)$/.test(name)) return name !== ''
  return !(/^\w+$/.test(name) && /^(\d+|y|yes|no?|true|false)$/.test(value))
}
