import { type OptionName, ownersOf } from '../cli-options.ts'
import { usageError } from '../flags.ts'
import type { Option } from '../option.ts'
import type { RunContext } from '../run-context.ts'
import type { Subcommand } from '../subcommands.ts'

/** One action of a command. */
export interface CliAction {
  /** The word that selects it. Absent when the command has only one action. */
  readonly name?: string
  readonly aliases?: readonly string[]
  /** Names of its arguments: `ID` is required, `[ID]` is optional, `TEXT…` is one word or more. */
  readonly takes?: readonly string[]
  /** Flags of its own, which the other actions of the command refuse unless they name them too. */
  readonly flags?: readonly OptionName[]
  readonly help: string
  /** The formats that `-o` takes, the default first. Default: text, and json if it has a shape. */
  readonly formats?: readonly string[]
  /** The shape of the JSON document that `--json` prints. */
  readonly json?: string
  /** Needs no working folder, so it also runs in a deleted one. */
  readonly anywhere?: true
  /** Replaces the usual error for too many arguments. */
  readonly surplus?: string
  /** Returns the exit code. Expects as many words as `takes` names. */
  run(context: RunContext, words: readonly string[]): Promise<number>
}

/** A command, as the parser and its help read it. */
export interface CliCommand {
  readonly about: string
  /** The first one runs by default, unless `needsAction` is set. */
  readonly actions: readonly [CliAction, ...CliAction[]]
  readonly needsAction?: boolean
  /** Words that users try, each with the command to use instead. */
  readonly instead?: Readonly<Record<string, string>>
  /** Flags that it accepts, besides those that belong to it alone. */
  readonly flags: readonly OptionName[]
  readonly example: string
  /** Its own exit codes, besides 0, 1 and 2. */
  readonly exitCodes: readonly number[]
}

/** The commands of this version. */
export type CliCommands = Readonly<Partial<Record<Subcommand, CliCommand>>>

/** Formats an action as it is written after `pipe COMMAND`. */
export function spellAction({ name, takes = [] }: CliAction): string {
  return [...(name === undefined ? [] : [name]), ...takes].join(' ')
}

/** Whether a word calls an action, by its name or an alias. */
export function isCalled({ name, aliases = [] }: CliAction, word: string | undefined): boolean {
  return word !== undefined && (name === word || aliases.includes(word))
}

/** Whether an action takes any number of words at the end. */
export function takesMore({ takes = [] }: CliAction): boolean {
  // Not by a pattern: the build escapes other characters than ASCII in texts alone.
  return takes.at(-1)?.replace(']', '').endsWith('…') === true
}

/** The formats that `-o` takes for an action, the default first. */
export function formatsOf({ formats, json }: CliAction): readonly string[] {
  return formats ?? (json === undefined ? ['text'] : ['text', 'json'])
}

/** The action names of a command. */
export function actionNames({ actions }: CliCommand): readonly string[] {
  return actions.flatMap(({ name }) => name ?? [])
}

/** Whether a command takes a flag, in this action or, without one, in any. */
export function takesFlag(
  name: Subcommand,
  { flags, actions }: CliCommand,
  action: CliAction | undefined,
  option: Option,
): boolean {
  const isListed = (one: Pick<CliAction, 'flags'>) => one.flags?.some((flag) => flag === option.name) === true
  if (action === undefined ? actions.some(isListed) : isListed(action)) return true
  if (ownersOf(option).includes(name)) return !actions.some(isListed)
  return flags.some((flag) => flag === option.name)
}

/** Finds the command for a reserved word. Throws `usage` when this version does not have it. */
export function requireCommand(name: Subcommand, commands: CliCommands): CliCommand {
  const command = commands[name]
  if (command !== undefined) return command
  throw usageError(`pipe ${name} is not part of this version. ${asPrompt(name)}`)
}

/** Says how to send words that start with a command's name as a prompt. */
export function asPrompt(name: Subcommand): string {
  return `To send the words as a prompt: pipe -- ${name} …`
}

/** The flags of commands that print JSON on request. */
export const asJson = ['json', 'output-format'] as const

/** The flags of commands that run in copies of the folder. */
export const inCopy = [
  'model',
  'thinking',
  'temperature',
  'system-prompt',
  'append-system-prompt',
  'permission-mode',
  'yolo',
  'allowed-tools',
  'disallowed-tools',
  'sandbox',
  'allow-network',
  'max-turns',
  'max-tokens',
  'max-cost',
  'max-time',
  'max-output-tokens',
  'no-session',
  'no-audit',
  'quiet',
  'cd',
  'trust',
  ...asJson,
] as const

/** Waits for an action that has no exit code of its own. */
export async function done(work: Promise<void>): Promise<number> {
  await work
  return 0
}
