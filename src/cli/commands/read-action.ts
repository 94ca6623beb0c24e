import type { PipeError } from '../../error.ts'
import { nearest } from '../../ranking/nearest.ts'
import { type OptionName, options } from '../cli-options.ts'
import { type Flags, usageError } from '../flags.ts'
import type { Subcommand } from '../subcommands.ts'
import {
  actionNames,
  asPrompt,
  type CliAction,
  type CliCommand,
  formatsOf,
  isCalled,
  requireCommand,
  spellAction,
  takesFlag,
  takesMore,
} from './cli-command.ts'
import { commands } from './command-table.ts'

/** An action with its arguments. */
export interface ReadAction {
  readonly action: CliAction
  readonly words: readonly string[]
}

/** Parses the words after a command's name. Throws `usage` with a suggestion for an unknown action, and for a flag of another one or of a run. */
export function readAction(name: Subcommand, words: readonly string[], flags: Flags): ReadAction {
  const command = requireCommand(name, commands)
  const read = readWords(name, command, words)
  requireOwnFlags(name, command, { action: read.action, flags })
  requireFormat(name, command, { action: read.action, flags, isNamed: words.length > 0 })
  const other = options.find(
    (option) =>
      ofOneRun.includes(option.name) &&
      flags.has(option.name) &&
      !takesFlag(name, command, read.action, option),
  )
  if (other !== undefined) throw wrongUse(name, `pipe ${name} does not take --${other.name}`)
  return read
}

/**
 * Flags that say what a run of one prompt does, and would mislead where they do nothing. Others, such as a model, are ignored by a command
 * without a use for them: an alias may set them.
 */
const ofOneRun: readonly OptionName[] = [
  ...(['dry-run', 'patch', 'each', 'template', 'param', 'json-schema', 'yes-no', 'extract', 'bg'] as const),
  ...(['continue', 'resume', 'fork', 'session', 'record', 'events-fd', 'worktree', 'input-format'] as const),
]

/** Throws `usage` for a flag that belongs to other actions of the command. */
function requireOwnFlags(
  name: Subcommand,
  { actions }: CliCommand,
  { action, flags }: { readonly action: CliAction; readonly flags: Flags },
): void {
  for (const flag of new Set(actions.flatMap((one) => one.flags ?? []))) {
    if (action.flags?.includes(flag) === true || !flags.has(flag)) continue
    const owners = actions.flatMap((one) => (one.flags?.includes(flag) === true ? (one.name ?? []) : []))
    const owner = `pipe ${name} ${owners.join(' and ')}`.trimEnd()
    throw wrongUse(name, `--${flag} belongs to ${owner}`)
  }
}

/** Throws `usage` for a format that the action does not print, and names those that print it. */
function requireFormat(
  name: Subcommand,
  { actions }: CliCommand,
  {
    action,
    flags,
    isNamed,
  }: { readonly action: CliAction; readonly flags: Flags; readonly isNamed: boolean },
): void {
  const formats = formatsOf(action)
  flags.requireChoice('output-format', formats, `pipe ${name} --help`)
  if (!flags.has('json') || formats.includes('json')) return
  const spelt = (one: CliAction) => `pipe ${name} ${one.name ?? ''}`.trimEnd()
  const asked = isNamed ? spelt(action) : `pipe ${name}`
  const others = actions.filter((one) => formatsOf(one).includes('json')).map(spelt)
  const hint = others.length === 0 ? '' : `; json comes from ${others.join(', ')}`
  throw wrongUse(name, `${asked} prints ${formats.join(' or ')}, not json${hint}`)
}

function readWords(name: Subcommand, command: CliCommand, words: readonly string[]): ReadAction {
  const [first, ...rest] = words
  const [main] = command.actions
  if (main.name === undefined) return withWords(name, ...mainOrNamed(command, words))
  if (first === undefined) {
    if (command.needsAction !== true) return withWords(name, main, [])
    throw wrongUse(name, `pipe ${name} needs one of ${actionNames(command).join(', ')}`)
  }
  const action = command.actions.find((one) => isCalled(one, first))
  if (action === undefined) throw unknownAction(name, command, first)
  return withWords(name, action, rest)
}

/** If the main action has no name and takes any words, another one is meant only by its name alone, or with exactly its words. */
function mainOrNamed(
  { actions: [main, ...others] }: CliCommand,
  words: readonly string[],
): [CliAction, readonly string[]] {
  const [first, ...rest] = words
  const named = others.find(
    (one) => isCalled(one, first) && (rest.length === 0 || one.takes?.length === rest.length),
  )
  return named === undefined ? [main, words] : [named, rest]
}

function withWords(name: Subcommand, action: CliAction, words: readonly string[]): ReadAction {
  const { takes = [], surplus } = action
  const [asked, form] = [action.name ?? '', spellAction(action)].map((text) =>
    `pipe ${name} ${text}`.trimEnd(),
  )
  const missing = takes.filter((word) => !word.startsWith('[')).slice(words.length)
  if (missing.length > 0) throw wrongUse(name, `${asked} needs ${missing.join(' and ').replaceAll('…', '')}`)
  if (takesMore(action) || words.length <= takes.length) return { action, words }
  throw wrongUse(
    name,
    surplus ?? `${form} does not take ${JSON.stringify(words[takes.length])}. ${asPrompt(name)}`,
  )
}

function unknownAction(name: Subcommand, command: CliCommand, word: string): PipeError {
  const { actions, instead = {} } = command
  const wrong = `pipe ${name} does not take ${JSON.stringify(word)}`
  const known = actions.flatMap((action) => [action.name ?? [], action.aliases ?? []].flat())
  const close = nearest(word, [...known, ...Object.keys(instead)])
  if (close !== undefined && Object.hasOwn(instead, close))
    return wrongUse(name, `${wrong}; use ${instead[close]}`)
  const hint =
    close === undefined
      ? `it takes ${actionNames(command).join(', ')}.`
      : `did you mean pipe ${name} ${close}?`
  return wrongUse(name, `${wrong}; ${hint} ${asPrompt(name)}`)
}

function wrongUse(name: Subcommand, message: string): PipeError {
  return usageError(message, `pipe ${name} --help`)
}
