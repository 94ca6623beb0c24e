import type { Token } from '../listed-words.ts'
import { subcommands } from '../subcommands.ts'

/**
 * Leaves out the filter of a switch that takes one, as in `-d api "fix it"`. Only a word between the switch and a single quoted prompt is
 * one: otherwise it may be the prompt. A command stays a command, unless `-p` is given.
 */
export function withoutFilter(
  tokens: readonly Token[],
  isFiltered: (flag: string) => boolean,
): readonly Token[] {
  const words = tokens.filter((token) => token.kind === 'positional')
  const [filter, prompt, ...more] = words
  if (filter === undefined || prompt === undefined || more.length > 0 || !/\s/.test(prompt.value))
    return tokens
  const before = tokens[tokens.indexOf(filter) - 1]
  if (before?.kind !== 'option' || before.value !== undefined || !isFiltered(before.name)) return tokens
  const isPrompt = tokens.some((token) => token.kind === 'option' && token.name === 'print')
  const isCommand = !isPrompt && subcommands.some((word) => word === filter.value)
  return isCommand || !filterForm.test(filter.value) ? tokens : tokens.filter((token) => token !== filter)
}

const filterForm = /^!?[\w-]+(,!?[\w-]+)*$/
