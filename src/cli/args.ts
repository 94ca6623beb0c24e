import { parseArgs } from 'node:util'
import { PipeError } from '../error.ts'
import { type AuditCommand, readAuditCommand } from './commands/audit-command.ts'
import { type AuthCommand, readAuthCommand } from './commands/auth-command.ts'
import { readSchemaName, type SchemaName } from './commands/schema-name.ts'
import { nearest } from './nearest.ts'
import { type Option, type OptionName, options, type Subcommand, subcommands } from './options.ts'

/** What the command line asks for. */
export type Invocation =
  | { readonly type: 'help'; readonly topic: 'usage' | 'exit-codes' }
  | { readonly type: 'version' }
  | { readonly type: 'demo' }
  | { readonly type: 'sessions_list'; readonly flags: Flags }
  | { readonly type: 'sessions_show'; readonly id: string; readonly flags: Flags }
  | { readonly type: 'models'; readonly filter: string | undefined; readonly flags: Flags }
  | { readonly type: 'auth'; readonly command: AuthCommand; readonly flags: Flags }
  | { readonly type: 'audit'; readonly command: AuditCommand; readonly flags: Flags }
  | { readonly type: 'doctor'; readonly flags: Flags }
  | { readonly type: 'undo'; readonly turns: number; readonly flags: Flags }
  | { readonly type: 'permissions'; readonly action: 'list' | 'check'; readonly flags: Flags }
  | { readonly type: 'trust'; readonly action: 'add' | 'remove' | 'list'; readonly flags: Flags }
  | { readonly type: 'schema'; readonly name: SchemaName }
  | { readonly type: 'run'; readonly prompt: string | undefined; readonly flags: Flags }

/** The flags as given: `true` for a switch, the texts of the others in order. Checked against `choices` already. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }

  has(name: OptionName): boolean {
    return this.#values.has(name)
  }

  text(name: OptionName): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  all(name: OptionName): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** Throws `usage` unless the value is a number that `accepts` takes. */
  number(name: OptionName, accepts: (value: number) => boolean, expected: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (text.trim() !== '' && accepts(value)) return value
    throw usage(`--${name} takes ${expected}, not ${JSON.stringify(text)}`)
  }
}

/** Reads the arguments after the program's name. Throws `usage` with the nearest name for a wrong flag. */
export function parseArguments(argv: readonly string[]): Invocation {
  const invocation = readInvocation(readFlags(argv))
  if (!('flags' in invocation)) return invocation
  const { type, flags } = invocation
  for (const option of options) {
    const command = 'command' in option ? option.command : type
    if (command !== type && flags.has(option.name)) throw usage(`--${option.name} belongs to pipe ${command}`)
  }
  return invocation
}

function readInvocation({ values, words, afterDashes }: ReturnType<typeof readFlags>): Invocation {
  const flags = new Flags(values)
  if (flags.has('version')) return { type: 'version' }
  if (flags.has('help')) return { type: 'help', topic: words[0] === 'exit-codes' ? 'exit-codes' : 'usage' }
  const first = subcommands.find((name) => name === words[0])
  if (first !== undefined && !afterDashes && !flags.has('print')) {
    const command = readSubcommand(first, words.slice(1), flags)
    if (command !== undefined) return command
  }
  return { type: 'run', prompt: words.length === 0 ? undefined : words.join(' '), flags }
}

/** A subcommand with arguments that fit it; `undefined` where the words are a prompt after all. */
function readSubcommand(name: Subcommand, words: readonly string[], flags: Flags): Invocation | undefined {
  const [action = 'list', id] = words
  switch (name) {
    case 'help':
      if (words.length === 0) return { type: 'help', topic: 'usage' }
      return words.length === 1 && action === 'exit-codes' ? { type: 'help', topic: 'exit-codes' } : undefined
    case 'demo':
      return words.length === 0 ? { type: 'demo' } : undefined
    case 'sessions':
      if (words.length <= 1 && action === 'list') return { type: 'sessions_list', flags }
      if (words.length === 1 && action === 'show') throw usage('pipe sessions show needs the id of a session')
      return words.length === 2 && action === 'show' && id !== undefined
        ? { type: 'sessions_show', id, flags }
        : undefined
    case 'models':
      return words.length <= 1 ? { type: 'models', filter: words[0], flags } : undefined
    case 'auth': {
      const command = readAuthCommand(words)
      return command === undefined ? undefined : { type: 'auth', command, flags }
    }
    case 'audit': {
      const command = readAuditCommand(words)
      return command === undefined ? undefined : { type: 'audit', command, flags }
    }
    case 'doctor':
      return words.length === 0 ? { type: 'doctor', flags } : undefined
    case 'permissions':
      if (words.length > 1 || (action !== 'list' && action !== 'check')) return undefined
      return { type: 'permissions', action, flags }
    case 'trust':
      if (words.length === 0) return { type: 'trust', action: 'add', flags }
      if (words.length > 1 || (action !== 'remove' && action !== 'list')) return undefined
      return { type: 'trust', action, flags }
    case 'schema': {
      const schema = readSchemaName(words)
      return schema === undefined ? undefined : { type: 'schema', name: schema }
    }
    case 'undo': {
      const [turns = '1', ...more] = words
      const isCount = more.length === 0 && /^[1-9]\d{0,3}$/.test(turns)
      return isCount ? { type: 'undo', turns: Number(turns), flags } : undefined
    }
    default:
      if (words.length > 0) return undefined
      throw usage(`pipe ${name} is not part of this version; to send the word as a prompt: pipe -- ${name}`)
  }
}

const table: readonly Option[] = options
const spellings = new Map(
  table.flatMap((option) =>
    [option.name, ...(option.aliases ?? [])].flatMap((name) => [
      [name, option] as const,
      [camelCase(name), option] as const,
    ]),
  ),
)

function readFlags(argv: readonly string[]) {
  const config = Object.fromEntries([
    ...[...spellings].map(([name, option]) => [name, kindOf(option)]),
    ...table.map((option) => [
      option.name,
      { ...kindOf(option), ...(option.short === undefined ? {} : { short: option.short }) },
    ]),
  ])
  const { tokens } = parseArgs({ args: joinIds(argv), options: config, strict: false, tokens: true })
  const values = new Map<string, string[]>()
  const words: string[] = []
  let dashesAt = Number.POSITIVE_INFINITY
  for (const token of tokens) {
    if (token.kind === 'option-terminator') dashesAt = Math.min(dashesAt, words.length)
    else if (token.kind === 'positional') words.push(token.value)
    else {
      const option = spellings.get(token.name) ?? unknownFlag(token.rawName)
      values.set(option.name, [...(values.get(option.name) ?? []), checkValue(option, token)])
    }
  }
  return { values, words, afterDashes: dashesAt === 0 }
}

function kindOf(option: Option): { type: 'string' | 'boolean' } {
  return { type: option.value === undefined ? 'boolean' : 'string' }
}

function checkValue(
  option: Option,
  token: { value?: string | undefined; inlineValue?: boolean | undefined; rawName: string },
): string {
  const { value } = token
  if (option.value === undefined) {
    if (value !== undefined) throw usage(`--${option.name} takes no value`)
    return ''
  }
  if (value === undefined) throw usage(`${token.rawName} needs a value: ${option.value}`)
  if (value.startsWith('-') && value !== '-' && token.inlineValue !== true) {
    throw usage(
      `${token.rawName} needs a value; one that begins with a dash is written --${option.name}=${value}`,
    )
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw usage(`${token.rawName} takes ${option.choices.join(', ')}, not ${JSON.stringify(value)}`)
  }
  return value
}

/** `-r` and `--fork` take the next word only if it looks like an id, so that `pipe -r "go on"` keeps its prompt. */
function joinIds(argv: readonly string[]): string[] {
  const joined: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--') return [...joined, ...argv.slice(i)]
    const option = table.find((each) => arg === `--${each.name}` || arg === `-${each.short}`)
    const next = argv[i + 1]
    if (option?.optionalId !== true) joined.push(arg)
    else if (next !== undefined && /^[0-9a-f][0-9a-f-]{5,35}$/.test(next))
      joined.push(`--${option.name}=${argv[++i]}`)
    else joined.push(`--${option.name}=`)
  }
  return joined
}

function unknownFlag(rawName: string): never {
  const known = table.flatMap((option) => [
    `--${option.name}`,
    ...(option.short === undefined ? [] : [`-${option.short}`]),
  ])
  const close = nearest(rawName, known)
  throw usage(`unknown flag ${rawName}${close === undefined ? '' : `; did you mean ${close}?`}`)
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function usage(message: string): PipeError {
  return new PipeError('usage', `${message} (pipe --help lists what there is)`)
}
