import { type AuditCommand, readAuditCommand } from './commands/audit-command.ts'
import { type AuthCommand, readAuthCommand } from './commands/auth-command.ts'
import { readSchemaName, type SchemaName } from './commands/schema-name.ts'
import { type CommandLine, type Flags, readFlags, usageError } from './flags.ts'
import { mistyped, notBuilt } from './mistyped.ts'
import { options, type Subcommand, subcommands } from './options.ts'

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

/** Reads the arguments after the program's name. Throws `usage` with the nearest name for a wrong flag. */
export function parseArguments(argv: readonly string[]): Invocation {
  const invocation = readInvocation(readFlags(argv))
  if (!('flags' in invocation)) return invocation
  const { type, flags } = invocation
  for (const option of options) {
    const command = 'command' in option ? option.command : type
    if (command !== type && flags.has(option.name))
      throw usageError(`--${option.name} belongs to pipe ${command}`)
  }
  return invocation
}

function readInvocation({ flags, words, afterDashes }: CommandLine): Invocation {
  if (flags.has('version')) return { type: 'version' }
  if (flags.has('help')) return { type: 'help', topic: words[0] === 'exit-codes' ? 'exit-codes' : 'usage' }
  const first = subcommands.find((name) => name === words[0])
  if (first !== undefined && !afterDashes && !flags.has('print')) {
    const command = readSubcommand(first, words.slice(1), flags)
    if (command !== undefined) return command
    const wrong = mistyped(first, words.slice(1))
    if (wrong !== undefined) throw wrong
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
      if (words.length === 1 && action === 'show')
        throw usageError('pipe sessions show needs the id of a session')
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
      throw notBuilt(name)
  }
}
