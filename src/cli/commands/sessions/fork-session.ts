import { printWarning } from '../../../terminal/output.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { RunContext } from '../../run-context.ts'
import { forkSession } from '../../wiring/session/session-choice.ts'
import { withAllSessions } from '../../wiring/session-records.ts'

/**
 * Copies the current branch of a session, or of `ID@MESSAGE` the branch up to that message, into a new session of this folder, and prints
 * its id. Throws `input`.
 */
export async function fork(text: string, { host, flags, signal }: RunContext): Promise<void> {
  const [name = '', message] = text.split('@', 2)
  const { id, from, warnings } = await withAllSessions(host, (store) =>
    forkSession(name, { store, machine: host, message, signal }),
  )
  for (const warning of warnings) printWarning(host, warning)
  host.stdout.write(flags.format === 'json' ? `${printableJson({ id, from })}\n` : `${id}\n`)
}
