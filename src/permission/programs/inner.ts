import type { Field } from '../bash/fields.ts'
import { joined, textOf, valuesAfter } from './arguments.ts'
import { carriedScripts } from './exec-options.ts'
import { gitRuns } from './git/runs.ts'

/** Commands and scripts that a command runs, as far as its words show. */
export interface Inner {
  readonly commands: readonly (readonly Field[])[]
  /** Text that a shell runs; `undefined` if it is not known. */
  readonly scripts: readonly (string | undefined)[]
}

/** A command's name, without its folder and in lower case. */
export function commandName(fields: readonly Field[]): string {
  return (fields[0]?.text.split('/').at(-1) ?? '').toLowerCase()
}

/** Programs that run shell code. */
export const shells: ReadonlySet<string> = new Set(
  (
    'sh bash rbash dash ash zsh ksh ksh93 rksh mksh lksh oksh loksh pdksh posh yash osh ysh csh tcsh fish nu nushell pwsh ' +
    'powershell elvish xonsh ion'
  ).split(' '),
)

/** Commands that run their words, with the number of operands that come first. */
const wrapperValues = new Map<string, number>([
  ...'time nice nohup setsid stdbuf command builtin exec noglob nocorrect sudo doas env xargs ionice watch'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'strace ltrace unshare nsenter busybox toybox parallel caffeinate systemd-run runuser setpriv unbuffer'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'linux32 linux64 arch torify proxychains4 fakeroot proxychains torsocks rlwrap pkexec catchsegv valgrind coproc npx bunx chronic ts sem rush'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'timeout flock chroot taskset chrt setarch faketime su sg script ssh prlimit cpulimit lockf'
    .split(' ')
    .map((name) => [name, 1] as const),
])

/** Programs with subcommands that run the words after them. */
const launchers: ReadonlyMap<string, readonly string[]> = new Map([
  ['docker', ['exec', 'run']],
  ['podman', ['exec', 'run']],
  ['kubectl', ['exec', 'run']],
  ['npm', ['exec', 'x']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['mise', ['exec', 'x']],
  ['direnv', ['exec']],
  ['devbox', ['run']],
  ['uv', ['run']],
  ['poetry', ['run']],
  ['pipenv', ['run']],
  ['bundle', ['exec']],
  ['nix', ['run', 'shell', 'develop']],
  ['docker-compose', ['exec', 'run']],
  ['conda', ['run']],
  ['perf', ['stat', 'record', 'trace']],
  ['ip', ['exec']],
  ['cmake', ['-E']],
  ['gdb', ['--args']],
  ['xterm', ['-e']],
  ['nvm', ['exec', 'run']],
  ['asdf', ['exec']],
  ['doppler', ['run']],
  ['op', ['run']],
])

/** Programs that may run a command starting at any of their words. */
const anywhere = new Set(
  (
    'bwrap firejail numactl start-stop-daemon systemd-inhibit dbus-run-session xvfb-run tmux screen entr hyperfine ' +
    'nodemon ifne pee xe dotenv dotenvx concurrently'
  ).split(' '),
)

/** The dynamic loader, called by its own name. */
const loader = /^ld[-.].*\bso\b/

/** Whether pipe knows which of a program's words it runs. */
export function wrapsCommand(name: string): boolean {
  return wrapperValues.has(name) || anywhere.has(name) || loader.test(name)
}

/** Returns what a command runs. May list too much, never too little of what its words show. */
export function innerOf(fields: readonly Field[]): Inner {
  const name = commandName(fields)
  const args = fields.slice(1)
  const { commands = [], scripts = [] } = runBy(name, args)
  return { commands, scripts: [...scripts, ...carriedScripts(name, args)] }
}

function runBy(name: string, args: readonly Field[]): Partial<Inner> {
  const skip = wrapperValues.get(name)
  if (skip !== undefined) return wrapped(name, args, skip)
  if (shells.has(name)) return shell(args)
  switch (name) {
    case 'eval':
      return { scripts: [joined(withoutDashes(args))] }
    case 'source':
    case '.':
      return { commands: [withoutDashes(args)] }
    case 'trap':
      return { scripts: withoutDashes(args).slice(0, 1).map(textOf) }
    case 'alias':
      return {
        scripts: args.map(({ text, known }) => (known ? text.replace(/^[^=]*=?/, '') : undefined)),
      }
    case 'find':
      return { commands: [...afterFlags(args, /^-(exec|execdir|ok|okdir)$/)].map(replaceBraces) }
    case 'fd':
    case 'fdfind':
      return { commands: [...afterFlags(args, /^(-\w*[xX]|--exec|--exec-batch)$/)].map(replaceBraces) }
    case 'git':
      return gitRuns(args)
    case 'hash':
    case 'complete':
    case 'compgen':
    case 'mapfile':
    case 'readarray':
      return { scripts: valuesAfter(args, /^-[pC]/) }
    default: {
      if (anywhere.has(name) || loader.test(name)) {
        const { commands, scripts } = startingAnywhere(args)
        return { commands, scripts: [...scripts, ...args.slice(0, mostStarts).map(textOf)] }
      }
      const launches = launchers.get(name)
      return launches === undefined ? {} : launched(args, launches)
    }
  }
}

/** A word after an option may be the command or the option's value: both readings are returned. */
function wrapped(name: string, args: readonly Field[], skip: number): Partial<Inner> {
  // `command -v` only looks up a name.
  if (name === 'command' && /^-p?[vV]/.test(args[0]?.text ?? '')) return {}
  const words = name === 'xargs' ? stdinWords(args) : args
  const commands: (readonly Field[])[] = []
  let left = skip
  let afterOption = false
  for (const [i, { text, known }] of args.entries()) {
    const isOption = known && text.startsWith('-')
    if (!isOption && !/^[A-Za-z_]\w*=/.test(text)) {
      commands.push(words.slice(i))
      if (commands.length === mostStarts || (!afterOption && left-- === 0)) break
    }
    afterOption = isOption && !text.includes('=')
  }
  const scripts =
    name === 'env'
      ? valuesAfter(args, /^(-\w*?S|--s[a-z-]*)/).map((text) => text?.replace(/\\[_fnrtv]/g, ' '))
      : valuesAfter(args, /^(-[a-z]*c|--c[a-z]*)/)
  if (['watch', 'ssh', 'sg', 'parallel', 'sem', 'rush'].includes(name)) {
    scripts.push(...commands.map(joined), ...(name === 'parallel' ? args.map(textOf) : []))
  }
  if (commands.length === mostStarts) scripts.push(undefined)
  return { commands, scripts }
}

/** The words of xargs, with an unknown word at each placeholder and at the end. */
function stdinWords(args: readonly Field[]): readonly Field[] {
  const marks = new Set(['{}', ...valuesAfter(args, /^(-[Ii]|--replace)/)])
  const isFed = ({ text }: Field) =>
    [...marks].some((mark) => mark !== undefined && mark !== '' && text.includes(mark))
  return [...args.map((field) => (isFed(field) ? unknownField : field)), unknownField]
}

function withoutDashes(args: readonly Field[]): readonly Field[] {
  return args[0]?.text === '--' ? args.slice(1) : args
}

function shell(args: readonly Field[]): Partial<Inner> {
  const at = args.findIndex(({ text }) => /^[-+][A-Za-z]*c[A-Za-z]*$|^--commands?$|^-Command$/i.test(text))
  // Shells other than bash accept the script attached to `-c`.
  const attached = args.flatMap(
    ({ text }) => /^(?:-[A-Za-z]*?c|--[a-z-]*commands?=)(.*\s.*)$/s.exec(text)?.[1] ?? [],
  )
  if (at === -1) return { scripts: attached }
  const rest = args.slice(at + 1)
  const first = rest.findIndex(({ text }) => !/^[-+]/.test(text))
  const [script, ...positional] = first === -1 ? rest : rest.slice(first)
  return {
    // A script can run its own arguments: "$0" and "$@".
    commands: [positional, positional.slice(1)].filter((one) => one.length > 0),
    scripts: [...(script === undefined ? [] : [textOf(script)]), ...attached],
  }
}

function launched(args: readonly Field[], subcommands: readonly string[]): Partial<Inner> {
  const at = args.findIndex(({ text }) => subcommands.includes(text))
  return at === -1 ? {} : startingAnywhere(args.slice(at + 1))
}

/** Start positions to try for a command. Past that, the rest is unknown. */
const mostStarts = 100

function startingAnywhere(args: readonly Field[]): Inner {
  const commands = args.slice(0, mostStarts).map((_, i) => args.slice(i))
  return { commands, scripts: args.length > mostStarts ? [undefined] : [] }
}

function* afterFlags(args: readonly Field[], flag: RegExp): Generator<readonly Field[]> {
  for (const [i, { text }] of args.entries()) {
    if (!flag.test(text)) continue
    const rest = args.slice(i + 1)
    const end = rest.findIndex((one) => one.text === ';' || one.text === '+')
    yield end === -1 ? rest : rest.slice(0, end)
  }
}

const unknownField: Field = { text: '', known: false, glob: false }

/** A file name replaces the braces, so the word is unknown. */
function replaceBraces(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => (field.text.includes('{}') ? { ...field, known: false } : field))
}
