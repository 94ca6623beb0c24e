import type { Settings } from '../config/settings.ts'
import { PipeError } from '../error.ts'
import type { Subcommand } from './subcommands.ts'

/** Names the words of a list: rules, names of tools, existing folders, or existing `.json` files and JSON. */
export type ListKind = 'rules' | 'tools' | 'folders' | 'files'

/** A command-line flag, for the parser, the help and the search for the nearest flag. */
export interface Option {
  readonly name: string
  /** Of two flags with one letter, a command takes its own. */
  readonly short?: string
  /** The value's placeholder in the help; absent for a switch. */
  readonly value?: string
  /**
   * The value is optional: the next word is it, a session, a language or a name, unless it holds white space, as quoted prompts do. `inline`:
   * only a word joined by `=` is it.
   */
  readonly optional?: 'session' | 'language' | 'name' | 'inline'
  /** The words behind the value belong to it too, as long as they are of this kind. */
  readonly list?: ListKind
  readonly choices?: readonly string[]
  /** The choices are those of a run. Commands have their own, so `parseArguments` checks them. */
  readonly varies?: true
  /** Accepted synonyms of its choices, not shown. */
  readonly otherWords?: Readonly<Record<string, string>>
  /** The only subcommands that take it. */
  readonly command?: Subcommand | readonly Subcommand[]
  /** Accepted synonyms of the flag, not shown. */
  readonly aliases?: readonly string[]
  /** The synonym of a switch that takes a filter, as in `--debug=api`. pipe does not filter. */
  readonly filtered?: string
  /** The settings that a value stands for; that of a switch is empty. */
  readonly sets?: (value: string) => Settings
  /** Taken because programs that drive other agents give it. Not shown. */
  readonly hasNoEffect?: true
  readonly help: string
  /** The help of commands that use it for something of their own. */
  readonly helpIn?: Readonly<Partial<Record<Subcommand, string>>>
}

/** Returns the one text that explains a flag to the users of a command, or of a run. */
export function helpFor({ help, helpIn }: Option, command?: Subcommand): string {
  return (command === undefined ? undefined : helpIn?.[command]) ?? help
}

/** Returns the choice that a value names. Values are checked against the choices before. */
export function chosen<T extends string>(choices: readonly T[], value: string): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new PipeError('usage', `${value} is not one of ${choices.join(', ')}`)
  return found
}
