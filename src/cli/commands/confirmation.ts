import { throwIfAborted } from '../../error.ts'
import { printable } from '../../terminal/printable.ts'
import { askOnTerminal } from '../controlling-terminal.ts'
import { usageError } from '../flags.ts'
import type { RunContext } from '../run-context.ts'
import { isTerminal } from '../standard-output.ts'

/** Asks the user on the terminal; the default is no. `undefined` if nobody can be asked. */
export async function confirm(
  question: string,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<boolean | undefined> {
  if (!host.stderr.isTerminal || !(await isTerminal(0))) return undefined
  const said = await askOnTerminal(`${printable(question)} [y/N] `, signal)
  throwIfAborted(signal)
  return /^y(es)?$/i.test(said?.trim() ?? '')
}

/** Asks whether to delete, unless `--yes` answers it. Throws `usage` if nobody can be asked. */
export async function confirmDeletion(
  question: string,
  command: 'sessions delete' | 'sessions prune' | 'memory forget',
  context: Pick<RunContext, 'host' | 'flags' | 'signal'>,
): Promise<boolean> {
  const { flags } = context
  if (flags.has('yes') || flags.has('force')) return true
  const answer = await confirm(question, context)
  if (answer !== undefined) return answer
  throw usageError(
    `pipe ${command} asks before it deletes, but nobody can be asked here: add --yes`,
    `pipe ${command.replace(/ .*/, '')} --help`,
  )
}
