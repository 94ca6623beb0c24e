import type { PipeError } from '../error.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { nearest } from '../ranking/nearest.ts'
import { options, ownersOf, runFormats } from './cli-options.ts'
import type { CliAction } from './commands/cli-command.ts'
import { type Flags, type OnDisk, type ParsedCommandLine, readFlags, usageError } from './flags.ts'
import { foreignCommands, type Subcommand, saidOfData, subcommands } from './subcommands.ts'

/** A parsed command line. */
export type Invocation =
  | { readonly type: 'help'; readonly topic: readonly string[] }
  | { readonly type: 'version' }
  | {
      readonly type: 'command'
      readonly name: Subcommand
      readonly action: CliAction
      /** The action's arguments. */
      readonly words: readonly string[]
      readonly flags: Flags
    }
  | {
      readonly type: 'run'
      readonly prompt: string | undefined
      readonly flags: Flags
      /** The error if stdin brings no data of which the prompt may speak. */
      readonly withoutData?: PipeError
    }

/**
 * Parses the arguments after the program's name. A reserved word that comes first is a command. Throws `usage` with a suggestion for an
 * unknown word, and `input` for a session that does not exist.
 */
export async function parseArguments(argv: readonly string[], disk: OnDisk): Promise<Invocation> {
  const line = await readFlags(argv, disk)
  const { flags, words, doubt } = line
  if (flags.has('version')) return { type: 'version' }
  const [first, ...rest] = words
  const name = isPrompt(line) ? undefined : subcommands.find((word) => word === first)
  // With a topic, `pipe help` shows the same with the flag as without.
  if (flags.has('help') && !(name === 'help' && rest.length > 0))
    return { type: 'help', topic: shownTopic(name, words) }
  requireOwnFlags(name, flags)
  if (doubt !== undefined) throw doubtError(doubt)
  if (name !== undefined) {
    const { readAction } = await import('./commands/read-action.ts')
    return { type: 'command', name, ...readAction(name, rest, flags), flags }
  }
  const foreign = isPrompt(line) ? undefined : foreignError(words)
  if (foreign !== undefined && !saidOfData.includes(first ?? '')) throw foreign
  if (!isPrompt(line)) {
    refuseForeignRun(words)
    await refuseSlip(words)
  }
  flags.requireChoice('output-format', runFormats)
  const prompt = words.length === 0 ? undefined : words.join(' ')
  return { type: 'run', prompt, flags, ...omitUndefined({ withoutData: foreign }) }
}

/** Whether the user marked the words as a prompt, with `--` or `-p`, or gave one with `-i`. */
function isPrompt({ flags, afterDashes }: ParsedCommandLine): boolean {
  return afterDashes || flags.has('print') || flags.has('prompt-interactive')
}

/** The topic for `--help`: the command on the same line, or everything. */
function shownTopic(name: Subcommand | undefined, [first]: readonly string[]): readonly string[] {
  if (name !== undefined && name !== 'help') return [name]
  return first === 'exit-codes' ? [first] : []
}

/** Throws `usage` for a flag that belongs to another command. */
function requireOwnFlags(name: Subcommand | undefined, flags: Flags): void {
  for (const option of options) {
    const owners = ownersOf(option)
    if (owners.length > 0 && !owners.some((owner) => owner === name) && flags.has(option.name))
      throw usageError(`--${option.name} belongs to pipe ${owners.join(' and pipe ')}`)
  }
}

/** Creates the error for a word that may be a part of a flag's list or of the prompt. */
function doubtError({ flag, word }: NonNullable<ParsedCommandLine['doubt']>) {
  const shown = JSON.stringify(word)
  return usageError(
    `${shown} may belong to ${flag} or be the prompt; begin the prompt with --: pipe ${flag} … -- ${shown}. Without a prompt, repeat the flag: ${flag}=${shown}`,
  )
}

/** Returns the `usage` error if the first word is a command of other agents, which name different things by it. */
function foreignError([first = '', ...rest]: readonly string[]): PipeError | undefined {
  const known = new Map(Object.entries(foreignCommands)).get(first)
  if (known === undefined) return undefined
  const ours = first === 'exec' ? execInOurWords(rest, known) : known
  return usageError(
    `pipe has no command ${first}; ${ours}. To send the words as a prompt: pipe -- ${first} …`,
  )
}

/** Says how to write what follows `exec`. */
function execInOurWords([second, third, fourth]: readonly string[], usual: string): string {
  if (second === undefined) return usual
  if (second !== 'resume') return `write: ${inOurWords(third === undefined ? second : undefined)}`
  return third === undefined || /\s/.test(third)
    ? `write: pipe -c ${JSON.stringify(third ?? 'prompt')}`
    : `write: pipe -r ${third} ${JSON.stringify(fourth ?? 'prompt')}`
}

/** Throws `usage` for the word that asks for one answer elsewhere, if it stands alone or before a quoted prompt: `run "fix it"`. */
function refuseForeignRun([first, prompt, ...more]: readonly string[]): void {
  if (first !== 'run' || more.length > 0 || (prompt !== undefined && !/\s/.test(prompt))) return
  throw usageError(
    `pipe has no command run; write: ${inOurWords(prompt)}. To send the words as a prompt: pipe -- run …`,
  )
}

/** Writes the line that answers one prompt. */
function inOurWords(prompt = 'prompt'): string {
  return `pipe ${JSON.stringify(prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt)}`
}

/** Throws `usage` when the words look like a command with one wrong letter: `docter`, `sesions list`. */
async function refuseSlip([first = '', second]: readonly string[]): Promise<void> {
  if (first.length < 4 || first.includes(' ')) return
  const close = nearest(first, subcommands, 1)
  if (close === undefined) return
  const { commands } = await import('./commands/command-table.ts')
  const { actionNames } = await import('./commands/cli-command.ts')
  const command = commands[close]
  if (command === undefined || (second !== undefined && !actionNames(command).includes(second))) return
  throw usageError(
    `there is no command ${first}; did you mean pipe ${close}? To send the words as a prompt: pipe -- ${first} …`,
  )
}
