import { unreachable } from '../../../error.ts'
import type { RunContext } from '../../run-context.ts'
import type { CliCommands } from '../cli-command.ts'
import { foundValues } from './found-values.ts'
import type { ShellName } from './shell-names.ts'
import { splitLine } from './split-line.ts'
import { type OfferedValue, type Wanted, wantedAt } from './wanted-values.ts'

/** Longest search for values, in milliseconds: somebody waits with a finger on the Tab key. */
const longestMs = 1_500

/**
 * Prints what can stand at the cursor, for the script of a shell: lines of a value, a tab and its meaning, or `:files` or `:folders`. Bash
 * passes the characters that break words, and the line up to the cursor; others pass its words.
 */
export async function printCompletion(
  shell: ShellName,
  given: readonly string[],
  { context, commands }: { readonly context: RunContext; readonly commands: CliCommands },
): Promise<void> {
  const { host } = context
  const [breaks = '', line = ''] = given
  const words = shell === 'bash' ? splitLine(line) : given
  const current = words.at(-1) ?? ''
  const wanted = wantedAt({ before: words.slice(1, -1), current }, commands)
  const choices = await choicesOf(wanted, context)
  if (typeof choices === 'string') {
    host.stdout.write(`:${choices}\n`)
    return
  }
  const kept = shell === 'bash' ? untilBreak(current, breaks) : 0
  const fits = (choice: OfferedValue) => `${wanted.prefix}${choice.value}`.startsWith(current)
  const lines = choices
    .filter(fits)
    .map(({ value, about }) => `${`${wanted.prefix}${value}`.slice(kept)}\t${about}\n`)
  host.stdout.write(lines.join(''))
}

/** Finds the values; `files` and `folders` are left to the shell. */
async function choicesOf(
  wanted: Wanted,
  context: RunContext,
): Promise<readonly OfferedValue[] | 'files' | 'folders'> {
  switch (wanted.type) {
    case 'choices':
      return wanted.choices
    case 'values':
      return foundValues(wanted.source, {
        ...context,
        signal: AbortSignal.any([context.signal, AbortSignal.timeout(longestMs)]),
      })
    case 'files':
    case 'folders':
      return wanted.type
    case 'nothing':
      return []
    default:
      return unreachable(wanted)
  }
}

/** Counts the characters of a word that bash keeps, because it completes only what follows the last break. */
function untilBreak(word: string, breaks: string): number {
  return Math.max(...Array.from(breaks, (one) => word.lastIndexOf(one))) + 1
}
