import { options, ownersOf } from '../../cli-options.ts'
import { optionNamed } from '../../flags.ts'
import { helpFor, type Option } from '../../option.ts'
import type { Subcommand } from '../../subcommands.ts'
import {
  type CliAction,
  type CliCommand,
  type CliCommands,
  formatsOf,
  takesFlag,
  takesMore,
} from '../cli-command.ts'
import { readTyped, type TypedLine, type TypedWords } from './typed-line.ts'

/** A value that can stand at the cursor. */
export interface OfferedValue {
  readonly value: string
  readonly about: string
}

/** Values that only the machine knows. */
export type ValueSource = 'models' | 'agents' | 'sessions' | 'tasks' | 'providers' | 'servers' | 'templates'

/** Names the kind of value at the cursor. */
export type Wanted =
  | { readonly type: 'choices'; readonly choices: readonly OfferedValue[] }
  | { readonly type: 'values'; readonly source: ValueSource }
  | { readonly type: 'files' }
  | { readonly type: 'folders' }
  | { readonly type: 'nothing' }

/** Names the kind of value at the cursor, behind a part of the word that stays: `--model=`, `@`, `a/b,`. */
export type WantedAt = Wanted & { readonly prefix: string }

/** Finds what can stand at the cursor of a command line. */
export function wantedAt({ before, current }: TypedWords, commands: CliCommands): WantedAt {
  const line = readTyped(before, commands)
  if (line.open !== undefined && !(line.open.optional !== undefined && current.startsWith('-')))
    return inList(line.open, '', current, valuesFor(line.open, line))
  const [, assigned = '', name = ''] = /^(--([^=]+)=)/.exec(current) ?? []
  const option = optionNamed(name)
  if (option?.value !== undefined) return inList(option, assigned, current, valuesFor(option, line))
  if (current.startsWith('-') && !before.includes('--')) return { prefix: '', ...flagsFor(line) }
  if (current.startsWith('@')) return { prefix: '@', type: 'files' }
  return { prefix: '', ...wordFor(line, commands) }
}

/** Completes the last entry of a list with commas. */
function inList({ value }: Option, assigned: string, current: string, wanted: Wanted): WantedAt {
  const hasEntries = value === 'MODELS' || value === 'NAMES'
  const earlier = hasEntries ? current.slice(assigned.length, current.lastIndexOf(',') + 1) : ''
  return { prefix: assigned + earlier, ...wanted }
}

const byFlag: Readonly<Record<string, Wanted>> = {
  agent: { type: 'values', source: 'agents' },
  after: { type: 'values', source: 'tasks' },
  template: { type: 'values', source: 'templates' },
}

const byPlaceholder: Readonly<Record<string, Wanted>> = {
  'PROVIDER/MODEL': { type: 'values', source: 'models' },
  MODELS: { type: 'values', source: 'models' },
  ID: { type: 'values', source: 'sessions' },
  PATH: { type: 'files' },
  FILE: { type: 'files' },
  SCHEMA: { type: 'files' },
  REF: { type: 'files' },
  DIR: { type: 'folders' },
  PROVIDER: { type: 'values', source: 'providers' },
}

const nothing: Wanted = { type: 'nothing' }

function valuesFor(option: Option, { action }: TypedLine): Wanted {
  const { name, value = '', choices, varies } = option
  const words = varies === true && action !== undefined ? formatsOf(action) : choices
  if (words !== undefined)
    return { type: 'choices', choices: words.map((word) => ({ value: word, about: '' })) }
  return byFlag[name] ?? byPlaceholder[value] ?? nothing
}

const table: readonly Option[] = options

/** Lists the flags that the command or a run takes. */
function flagsFor({ command, action, mayNameAction }: TypedLine): Wanted {
  const isTaken = (option: Option) => {
    if (option.name === 'help') return true
    if (command === undefined) return ownersOf(option).length === 0
    return takesFlag(command.name, command.command, mayNameAction ? undefined : action, option)
  }
  const choices = table
    .filter(isTaken)
    .map((option) => ({ value: `--${option.name}`, about: helpFor(option, command?.name) }))
  return { type: 'choices', choices }
}

/** Gives the words of these commands their kind. All others have the kind of their placeholder. */
const byCommand: Readonly<Partial<Record<Subcommand, Readonly<Record<string, Wanted>>>>> = {
  task: { ID: { type: 'values', source: 'tasks' } },
  agents: { NAME: { type: 'values', source: 'agents' } },
  mcp: { NAME: { type: 'values', source: 'servers' } },
  race: { ID: nothing },
  attach: { 'URL | ID': nothing },
}

function wordFor(line: TypedLine, commands: CliCommands): Wanted {
  const { command, action, words, mayNameAction, isPrompt } = line
  if (command === undefined)
    return isPrompt ? { type: 'files' } : { type: 'choices', choices: commandNames(commands) }
  if (mayNameAction) return actionsOr(command.command, argument(command.name, action, 0))
  if (command.name === 'help' && words.length === 0)
    return { type: 'choices', choices: [...commandNames(commands), ...helpTopics] }
  return argument(command.name, action, words.length)
}

const helpTopics = ['exit-codes', 'licences', 'terms'].map((value) => ({ value, about: '' }))

function commandNames(commands: CliCommands): readonly OfferedValue[] {
  return Object.entries(commands).map(([value, { about }]) => ({ value, about }))
}

/** Lists the actions, or what the main action without a name takes where the command has no others. */
function actionsOr({ actions }: CliCommand, other: Wanted): Wanted {
  const choices = actions.flatMap(({ name, help }) =>
    name === undefined ? [] : [{ value: name, about: help }],
  )
  return choices.length === 0 ? other : { type: 'choices', choices }
}

function argument(name: Subcommand, action: CliAction | undefined, index: number): Wanted {
  const takes = action?.takes ?? []
  const isOpen = action !== undefined && takesMore(action)
  const form = takes[isOpen ? Math.min(index, takes.length - 1) : index] ?? ''
  const placeholder = form.replaceAll('…', '').replace(/[[\]]/g, '')
  return byCommand[name]?.[placeholder] ?? byPlaceholder[placeholder] ?? nothing
}
