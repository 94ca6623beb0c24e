import { dirname } from 'node:path'
import { type Field, knownField } from '../../bash/fields.ts'
import { copiesOf } from '../copying.ts'
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

/** The archive that `jar cf` makes. */
function archiveOfJar(mode: Field | undefined, archive: Field | undefined): readonly Field[] {
  return archive !== undefined && /^[a-z]*[cu][a-z]*$/.test(mode?.text ?? '') ? [archive] : []
}

/** Compilers, build tools and test runners. */
export const compilers: Family = {
  'gcc g++ cc c++ clang clang++': compiler,
  rustc: { outputs: outputFile, runs: /^(-C|--codegen=)?linker=|^-Z/, wordsAreData: true },
  javac: {
    outputs: /^-[dhs](?=$)/,
    reads: printsVersion('-version --version'),
    runs: /^(-J|--?processor|-Xplugin)/,
    wordsAreData: true,
  },
  'mypy vitest jest mocha ctest': { wordsAreData: true },
  pytest: {
    outputs: /^--(junit-?xml|basetemp|log-file|report-log|html|cov-report=[a-z]+:)(?==|$|(?<=:))/,
    wordsAreData: true,
  },
  tsc: {
    outputs: /^--?(out(file|dir)?|declarationdir|tsbuildinfofile|generatetrace)(?==|$)/i,
    writes: (args, files) => (hasWord(args, withoutOutput) ? [] : files.flatMap(compiledBeside)),
    fills: (args) => (hasWord(args, withoutOutput) ? [] : fieldsAfter(args, tsProject).map(folderOfProject)),
    wordsAreData: true,
  },
  esbuild: { outputs: /^--?(out(file|dir)?|metafile)(?==|$)/i },
  jar: {
    outputs: /^-[a-z]*[cu][a-z]*f/,
    writes: (_, [mode, archive]) => archiveOfJar(mode, archive),
    gathers: (args, operands) => (hasWord(args.slice(0, 1), /^-?[a-z]*[cu]/) ? operands : []),
    readsListed: hasOne(/^@/),
    fills: (args) =>
      hasWord(args.slice(0, 1), /^-?[a-z]*x|^--extract/) ? orHere(fieldsAfter(args, /^(-C|--dir)/)) : [],
  },
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
    fills: filledByGo,
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
    writes: (args, words) => (hasWord(args, /^-E$/) ? changedByCmake(words) : []),
    ...launcher('-E'),
  },
  meson: { writes: (_, [verb, ...folders]) => (verb?.text === 'setup' ? folders : []) },
  mvn: { worksIn: folderAfter(/^(-f|--file)(?==|$)/) },
  'gradle gradlew': { worksIn: folderAfter(/^(-p|--project-dir)(?==|$)/) },
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

/** Options of `tsc` with which it writes nothing beside the sources, and those that name a project. */
const withoutOutput = /^--?(out(file|dir)|noemit|help|version|showconfig|listfilesonly|init)(=|$)/i
const tsProject = /^--?(p|project|b|build)(?==|$)/i

/** The file that `tsc` writes beside a source. */
function compiledBeside(file: Field): readonly Field[] {
  const text = file.text.replace(/\.([cm]?)tsx?$/, '.$1js')
  return text === file.text ? [] : [{ ...file, text }]
}

/** The folder of a project, which may be named by its settings: `src/tsconfig.json`. */
function folderOfProject(project: Field): Field {
  return project.text.endsWith('.json') ? { ...project, text: dirname(project.text) } : project
}

/** The folders in which `go fmt`, `fix` and `generate` change files, and that of `go mod vendor`. */
function filledByGo(args: readonly Field[], [verb, ...words]: readonly Field[]): readonly Field[] {
  if (verb?.text === 'mod') return words[0]?.text === 'vendor' ? [knownField('vendor')] : []
  if (!/^(fmt|fix|generate)$/.test(verb?.text ?? '') || hasWord(args, /^-n$/)) return []
  return orHere(words.map((field) => ({ ...field, text: field.text.replace(/\/?\.\.\.$/, '') || '.' })))
}

/** The paths that a command of `cmake -E` writes or removes. */
function changedByCmake([verb, ...paths]: readonly Field[]): readonly Field[] {
  if (/^(rm|remove(_directory)?|touch(_nocreate)?|make_directory)$/.test(verb?.text ?? '')) return paths
  return /^(copy|rename|create_)/.test(verb?.text ?? '') ? copiesOf({}, paths) : []
}

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
