import { options, ownersOf } from '../../cli-options.ts'
import { optionNamed } from '../../flags.ts'
import type { Option } from '../../option.ts'
import { type Subcommand, subcommands } from '../../subcommands.ts'
import { type CliAction, type CliCommand, type CliCommands, isCalled } from '../cli-command.ts'

/** A command line up to the cursor, without the program's name. */
export interface TypedWords {
  readonly before: readonly string[]
  /** The word at the cursor; empty behind a blank. */
  readonly current: string
}

/** Reads the words before the cursor. */
export interface TypedLine {
  readonly command?: { readonly name: Subcommand; readonly command: CliCommand } | undefined
  /** The action; the first one where none is named yet. */
  readonly action?: CliAction | undefined
  /** Whether the word at the cursor may still name the action. */
  readonly mayNameAction: boolean
  /** Words that are neither flags, nor values, nor the names of a command and its action. */
  readonly words: readonly string[]
  /** The flag whose value stands at the cursor. */
  readonly open?: Option | undefined
  /** Whether only a prompt can follow: behind `--`, or with `-p`. */
  readonly isPrompt: boolean
}

const table: readonly Option[] = options

/** Reads the words before the cursor as the parser would, and forgives faults. */
export function readTyped(before: readonly string[], commands: CliCommands): TypedLine {
  const words: string[] = []
  let open: Option | undefined
  let isPrompt = false
  let name: Subcommand | undefined
  for (const word of before) {
    if (open !== undefined && (open.optional === undefined || !word.startsWith('-'))) {
      open = undefined
      continue
    }
    open = undefined
    if (word === '--') isPrompt ||= words.length === 0
    else if (word.startsWith('-') && word !== '-') {
      const option = word.includes('=') ? undefined : flagAtEnd(word, name)
      if (option?.name === 'print') isPrompt = true
      if (option?.value !== undefined) open = option
    } else {
      if (words.length === 0 && !isPrompt) name = subcommands.find((one) => one === word)
      words.push(word)
    }
  }
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || command === undefined)
    return { words, open, isPrompt: isPrompt || words.length > 0, mayNameAction: false }
  return { ...readAction(command, words.slice(1)), command: { name, command }, open, isPrompt }
}

function readAction(
  { actions, needsAction }: CliCommand,
  words: readonly string[],
): Pick<TypedLine, 'action' | 'words' | 'mayNameAction'> {
  const [first, ...rest] = words
  const [main] = actions
  const named = actions.find((one) => isCalled(one, first))
  if (named !== undefined) return { action: named, words: rest, mayNameAction: false }
  const action = main.name === undefined || needsAction !== true ? main : undefined
  return { action, words, mayNameAction: words.length === 0 && actions.some((one) => one.name !== undefined) }
}

/** Finds the flag whose value would follow a word such as `-qm` or `--model`. */
function flagAtEnd(word: string, command: Subcommand | undefined): Option | undefined {
  if (word.startsWith('--')) return optionNamed(word.slice(2))
  const withLetter = table.filter(({ short }) => short === word.at(-1))
  return withLetter.find((option) => ownersOf(option).some((owner) => owner === command)) ?? withLetter[0]
}
