import { type Field, knownField } from '../../bash/fields.ts'
import { published, saysIf } from '../dangers.ts'
import { git } from '../git/git.ts'
import { gitRunsOther } from '../git/runs.ts'
import type { Family, Inner, OptionSpec, Pattern, Program, Reader } from '../program.ts'
import { splitArguments } from '../program-arguments.ts'
import { afterDashes, beforeDashes, folderAfter, orHere } from '../program-options.ts'
import { none, printsVersion, shows } from '../readers.ts'
import { fieldsAfter, hasWord, joined } from '../word-fields.ts'
import { launcher } from '../wrapping.ts'

/** Options of npm and the like, with one or two dashes. They may be abbreviated down to the slash. */
const npmDetours =
  'sc/ript-shell node-o/ptions prefi/x dir/ cw/d userc/onfig globalc/onfig git/ she/ll config/ use-yarnrc/ onl/oad-script ed/itor vi/ewer br/owser init-/module'.split(
    ' ',
  )

function isNpmDetour(word: string): boolean {
  const [, given = ''] = /^--?([^.=]+)/.exec(word) ?? []
  const means = (option: string) => {
    const [shortest = '', rest = ''] = option.split('/')
    return given.startsWith(shortest) && (shortest + rest).startsWith(given)
  }
  return word.startsWith('-C') || npmDetours.some(means)
}

/** Runs the scripts of a package. */
const manager: Program = {
  detours: isNpmDetour,
  worksIn: folderAfter(/^(-C|--(prefix|dir|cwd)(?==|$))/),
  writes: changedByNpm,
  outputs: /^(-o(?==|$)|--?out[\w-]*(?==|$)|--(pack-)?dest[\w-]*(?==|$))/i,
  // The name of a template precedes the folder.
  fills: (_, [verb, , ...folders]) => (/^(create|init|innit)$/.test(verb?.text ?? '') ? folders : []),
  ownWords: beforeDashes,
  wordsAreData: true,
  openAfter: /^(test|run \w[\w:.-]*)$/,
}

/** The file that `npm pkg set` and the like change. */
function changedByNpm(_: readonly Field[], [verb, ...words]: readonly Field[]): readonly Field[] {
  const changes =
    /^(init|create|version|(un|r)?link|add|r|rm|un|remove|uninstall|up|update|upgrade)$/.test(
      verb?.text ?? '',
    ) ||
    (/^(i|in|install)$/.test(verb?.text ?? '') && words.length > 0) ||
    (verb?.text === 'pkg' && /^(set|delete|fix)$/.test(words[0]?.text ?? ''))
  return changes ? [knownField('package.json')] : []
}

const pipFolder = /^(-[tdw]|--(target|prefix|root|dest|wheel-dir|log|report|cache-dir)[a-z-]*)/

const launchedByPnpm = launcher('exec', 'dlx')

/** With `-c`, a shell runs the words. */
function runByPnpm(args: readonly Field[]): Partial<Inner> {
  const { commands = [], scripts = [] } = launchedByPnpm.mayRun?.(args) ?? {}
  const isShell = hasWord(args, /^(-c|--shell-mode)$/)
  return { commands, scripts: isShell ? [...scripts, ...commands.map(joined)] : scripts }
}

/** Operands of `gh` that decide what it runs later, or run it. Values of options may stand among them. */
const installsInGh =
  /^(\S+ )?(alias (set|import)|ext(ension|ensions)? (install|exec|create|upgrade)|config set (\S+ )?(pager|editor|browser))( |$)/

/** Whether `hg` runs a program that its words name. Subcommands and options may be abbreviated. */
function runsInHg(args: readonly string[]): boolean {
  const has = (word: RegExp) => args.some((arg) => word.test(arg))
  return (
    (has(/^(bi|ext)[a-z]*$/) && has(/^(-[a-z]*[cop]|--(c|o|p)[a-z]*(=|$))/)) ||
    (has(/^(mer|reso|reb|gra|bac|up|uns)[a-z]*$/) && has(/^-[A-Za-z]*t/))
  )
}

/** The words after the source of a checkout. Its folder is among them, and so may be the values of options. */
function checkedOut(verb: RegExp, [first, , ...words]: readonly Field[]): readonly Field[] {
  return verb.test(first?.text ?? '') ? words : []
}

/** The folder of a new package, or the file that names what a package needs. The name of a toolchain and an option's value may stand before the subcommand. */
function changedByCargo(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const verb = operands.slice(0, 3).findIndex(({ text }) => /^(new|init)$/.test(text))
  if (verb !== -1) return operands.slice(verb + 1)
  const isChange = operands.slice(0, 3).some(({ text }) => /^(add|rm|remove)$/.test(text))
  if (!isChange) return []
  const manifests = fieldsAfter(args, /^--manifest-path(?==|$)/)
  return manifests.length > 0 ? manifests : [knownField('Cargo.toml')]
}

/** The folders in which `cargo` changes sources, and that of `cargo vendor`. */
function filledByCargo(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const at = operands.slice(0, 2).findIndex(({ text }) => /^(init|fmt|fix|clippy|vendor)$/.test(text))
  const [verb, ...words] = operands.slice(at)
  if (at === -1 || hasWord(args, /^--check$/)) return []
  if (verb?.text === 'vendor') return words.length === 0 ? [knownField('vendor')] : words
  if (verb?.text === 'init' && words.length > 0) return words
  return verb?.text === 'clippy' && !hasWord(args, /^--fix$/) ? [] : orHere([])
}

const everyVersion: OptionSpec = 'an all-versions names-only installed upgradable'

const aptReader = shows({
  list: everyVersion,
  policy: everyVersion,
  search: everyVersion,
  show: everyVersion,
})

/** Asks for installed packages. */
const dpkgReader: Reader = {
  files: none,
  accepts: (_, [verb = '', ...names]) =>
    /^(-[lLsSp]|--(list|listfiles|status|search|print-avail|version))$/.test(verb) &&
    !names.some((name) => name.startsWith('-')),
}

/** Version control, packages and infrastructure. */
export const packages: Family = {
  git,
  gh: {
    writes: (_, [group, ...operands]) =>
      /^(repo|gist)$/.test(group?.text ?? '') ? checkedOut(/^clone$/, operands) : [],
    outputs: /^(-[DO]|--(dir|output))/,
    fills: (args, [, verb]) =>
      verb?.text === 'download' && !hasWord(args, /^(-O|--output)/)
        ? orHere(fieldsAfter(args, /^(-D|--dir)/))
        : [],
    doesMore: (args) =>
      installsInGh.test(splitArguments(args).operands.join(' ')) ||
      gitRunsOther(['clone', ...afterDashes(args)]),
    wordsAreData: true,
  },
  glab: { wordsAreData: true },
  svn: {
    writes: (_, operands) => checkedOut(/^(checkout|co|export)$/, operands),
    runs: /^--(config-|diff3?-cmd|editor-cmd)/,
    wordsAreData: true,
  },
  hg: {
    writes: (_, operands) =>
      operands[0]?.text === 'archive' ? operands.slice(1) : checkedOut(/^clone$/, operands),
    runs: /^(-[fnpquUvy]*e|--(con[a-z]*|s(sh?)?|rem(o[a-z]*)?|to(ol?)?)(?==|$))/,
    doesMore: runsInHg,
    wordsAreData: true,
  },
  npm: {
    reads: printsVersion('-v --version'),
    ...launcher('exec', 'x', 'explore'),
    ...manager,
    runs: /^(-c|--call|--script-s[a-z]*)/,
    danger: published,
  },
  pnpm: {
    ...manager,
    mayRun: runByPnpm,
    runs: /^--script-s[a-z]*/,
    danger: published,
  },
  yarn: { ...launcher('exec', 'dlx'), ...manager, danger: published },
  cargo: {
    detours: /^(--(config|manifest-path|target-dir)|-[CZ])/,
    outputs: /^--(target-dir|artifact-dir|root)/,
    worksIn: folderAfter(/^-C/),
    // Settings may name a compiler or a runner; `watch -s` takes a line of shell.
    runs: /^(--config|--shell|-s)(?==|$)/,
    writes: changedByCargo,
    fills: filledByCargo,
    ownWords: (args) => (/^(run|test|bench)$/.test(args[0] ?? '') ? beforeDashes(args) : args),
    wordsAreData: true,
    openAfter: /^(build|check|clippy|test)$/,
    danger: published,
  },
  'pip pip3': {
    reads: printsVersion('-V --version'),
    outputs: pipFolder,
    fills: (args) => fieldsAfter(args, /^(-t|--target)(?==|$)/),
    wordsAreData: true,
  },
  'apt apt-get': {
    reads: aptReader,
    runs: /^(-[A-Zbdfhimqsuvy\d=]*[oc]|--(opt|conf)[a-z-]*)/,
    wordsAreData: true,
  },
  dpkg: {
    fills: (args, [, ...folders]) => (hasWord(args, /^(-[xX]|--v?extract)$/) ? folders : []),
    reads: dpkgReader,
    runs: /^--((pre|post)-inv|status-l)[a-z-]*/,
    wordsAreData: true,
  },
  rpm: { runs: /^(-[A-Za-z]*[DE]|--(ev|def|pipe|load|rcfile|macros))/, wordsAreData: true },
  'aptitude dnf yum apk pacman zypper snap flatpak brew port rustup': { wordsAreData: true },
  gem: { wordsAreData: true, danger: published },
  twine: { danger: published },
  conda: { ...launcher('run'), outputs: /^(-p|--prefix)(?==|$)/, wordsAreData: true },
  'rails flutter composer django-admin': {
    fills: (_, [verb, ...words]) =>
      /^(new|create|create-project|startproject|startapp)$/.test(verb?.text ?? '') ? words : [],
  },
  'terraform tofu': {
    worksIn: folderAfter(/^-chdir/),
    outputs: /^-out(?==|$)/,
    fills: (args, [verb, ...folders]) =>
      verb?.text === 'fmt' && !hasWord(args, /^--?(check|write=false)$/) ? orHere(folders) : [],
    danger: saysIf(/^destroy$/, 'destroys infrastructure'),
  },
}

export const packagesByPattern: readonly Pattern[] = [[/^pip[\d.]*$/, { outputs: pipFolder }]]
