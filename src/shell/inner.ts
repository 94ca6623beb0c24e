import type { Field } from './fields.ts'

/** What a command runs in its turn, as far as its words say. */
export interface Inner {
  readonly commands: readonly (readonly Field[])[]
  /** Text that a shell reads; `undefined` where it is not known. */
  readonly scripts: readonly (string | undefined)[]
}

/** The name by which a command is known: without its folder, in small letters. */
export function commandName(fields: readonly Field[]): string {
  return (fields[0]?.text.split('/').at(-1) ?? '').toLowerCase()
}

export const shells: ReadonlySet<string> = new Set('sh bash rbash dash ash zsh ksh mksh fish'.split(' '))

/** Commands that run their words, and how many words of their own stand before those. */
const wrappers = new Map<string, number>([
  ...'time nice nohup setsid stdbuf command builtin exec noglob nocorrect sudo doas env xargs ionice watch'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'strace ltrace unshare nsenter busybox toybox parallel caffeinate systemd-run runuser setpriv unbuffer'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'fakeroot proxychains torsocks rlwrap pkexec catchsegv valgrind coproc npx bunx chronic ts sem rush'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'timeout flock chroot taskset chrt setarch faketime su script ssh prlimit cpulimit'
    .split(' ')
    .map((name) => [name, 1] as const),
])

/** Programs of which one subcommand runs the words that follow it. */
const launchers: Readonly<Record<string, readonly string[]>> = {
  docker: ['exec', 'run'],
  podman: ['exec', 'run'],
  kubectl: ['exec', 'run'],
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  mise: ['exec', 'x'],
  direnv: ['exec'],
  devbox: ['run'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  bundle: ['exec'],
  nix: ['run', 'shell', 'develop'],
}

const nothing: Inner = { commands: [], scripts: [] }

/** What this command runs in its turn. More than it may run, never less, of what can be told from its words. */
export function innerOf(fields: readonly Field[]): Inner {
  const name = commandName(fields)
  const args = fields.slice(1)
  const skip = wrappers.get(name)
  if (skip !== undefined) return wrapped(name, args, skip)
  if (shells.has(name)) return shell(args)
  switch (name) {
    case 'eval':
      return { commands: [], scripts: [joined(args)] }
    case 'trap':
      return { commands: [], scripts: args.slice(0, 1).map(textOf) }
    case 'alias':
      return {
        commands: [],
        scripts: args.map(({ text, known }) => (known ? text.replace(/^[^=]*=?/, '') : undefined)),
      }
    case 'find':
      return { commands: [...afterFlags(args, /^-(exec|execdir|ok|okdir)$/)].map(replaceBraces), scripts: [] }
    case 'fd':
    case 'fdfind':
      return {
        commands: [...afterFlags(args, /^(-x|-X|--exec|--exec-batch)$/)].map(replaceBraces),
        scripts: [],
      }
    case 'git':
      return git(args)
    case 'hash':
    case 'complete':
    case 'compgen':
    case 'mapfile':
    case 'readarray':
      return { commands: [], scripts: valuesAfter(args, /^-[pC]/) }
    default: {
      const launches = launchers[name]
      return launches === undefined ? nothing : launched(args, launches)
    }
  }
}

/** A word of the command may also be the value of the option before it: both readings are given. */
function wrapped(name: string, args: readonly Field[], skip: number): Inner {
  const commands: (readonly Field[])[] = []
  let left = skip
  let afterOption = false
  for (const [i, { text, known }] of args.entries()) {
    const isOption = known && text.startsWith('-')
    if (!isOption && !/^[A-Za-z_]\w*=/.test(text)) {
      commands.push(args.slice(i))
      if (!afterOption && left-- === 0) break
    }
    afterOption = isOption && !text.includes('=')
  }
  const scripts = valuesAfter(args, name === 'env' ? /^(-\w*S|--split-string)/ : /^(-\w*c|--command)$/)
  if (['watch', 'ssh', 'parallel', 'sem', 'rush'].includes(name)) {
    scripts.push(...commands.map(joined), ...(name === 'parallel' ? args.map(textOf) : []))
  }
  if (name !== 'xargs') return { commands, scripts }
  const fed = commands.map((one) => one.map((field) => (field.text.includes('{}') ? unknownField : field)))
  const replace = valuesAfter(args, /^-[Ii]/).filter((text) => text !== undefined && text !== '')
  const replaced = fed.map((one) =>
    one.map((field) =>
      replace.some((text) => text !== undefined && field.text.includes(text)) ? unknownField : field,
    ),
  )
  return { commands: replaced.map((one) => [...one, unknownField]), scripts }
}

function shell(args: readonly Field[]): Inner {
  const at = args.findIndex(({ text }) => /^[-+][A-Za-z]*c[A-Za-z]*$|^--command$/.test(text))
  if (at === -1) return nothing
  const rest = args.slice(at + 1)
  const first = rest.findIndex(({ text }) => !/^[-+]/.test(text))
  const [script, ...positional] = first === -1 ? rest : rest.slice(first)
  return {
    // A script may run what it is given: "$0" and "$@".
    commands: [positional, positional.slice(1)].filter((one) => one.length > 0),
    scripts: script === undefined ? [] : [textOf(script)],
  }
}

const valuedOptions = new Set(
  '-C -c --config-env --exec-path --git-dir --namespace --super-prefix --work-tree --attr-source'.split(' '),
)
const runsItsValue =
  /pager|editor|command|fsmonitor|external|textconv|hookspath|askpass|helper|clean|smudge|driver|cmd|program/i

/** Without its global options; with what its configuration and its subcommand run. */
function git(args: readonly Field[]): Inner {
  const commands: (readonly Field[])[] = []
  const scripts = valuesAfter(
    args,
    /^(--upload-pack|--receive-pack|--exec|-x|--extcmd|--open-files-in-pager)/,
  )
  let i = 0
  for (; i < args.length && args[i]?.text.startsWith('-'); i++) {
    const option = args[i]?.text ?? ''
    if (!valuedOptions.has(option)) continue
    const { text = '', known = false } = args[++i] ?? {}
    const [key = '', value = ''] = [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)]
    if (option !== '-c') continue
    if (!known) scripts.push(undefined)
    else if (value.startsWith('!')) scripts.push(value.slice(1))
    else if (/^alias\./i.test(key)) scripts.push(`git ${value}`)
    else if (runsItsValue.test(key)) scripts.push(value)
  }
  const rest = args.slice(i)
  if (i > 0 && rest.length > 0) commands.push([{ text: 'git', known: true, glob: false }, ...rest])
  const [subcommand, verb] = rest
  if (subcommand?.text === 'bisect' && verb?.text === 'run') commands.push(rest.slice(2))
  if (subcommand?.text === 'submodule' && verb?.text === 'foreach') scripts.push(joined(rest.slice(2)))
  return { commands, scripts }
}

function launched(args: readonly Field[], subcommands: readonly string[]): Inner {
  const at = args.findIndex(({ text }) => subcommands.includes(text))
  if (at === -1) return nothing
  return { commands: args.slice(at + 1).map((_, i) => args.slice(at + 1 + i)), scripts: [] }
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

/** A file name takes the place of the braces. */
function replaceBraces(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => (field.text.includes('{}') ? unknownField : field))
}

/** What follows each flag, be it the next word or the rest of the same one. */
function valuesAfter(args: readonly Field[], flag: RegExp): (string | undefined)[] {
  return args.flatMap((field, i) => {
    const found = flag.exec(field.text)?.[0]
    if (found === undefined) return []
    const rest = field.text.slice(found.length).replace(/^=/, '')
    const next = args[i + 1]
    return rest === '' ? (next === undefined ? [] : [textOf(next)]) : [textOf({ ...field, text: rest })]
  })
}

function textOf({ text, known }: Field): string | undefined {
  return known ? text : undefined
}

function joined(args: readonly Field[]): string | undefined {
  return args.every(({ known }) => known) ? args.map(({ text }) => text).join(' ') : undefined
}
