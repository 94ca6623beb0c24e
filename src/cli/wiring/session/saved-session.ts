import { PipeError } from '../../../error.ts'
import type { SessionId } from '../../../id.ts'
import type { Machine } from '../../machine.ts'
import { openSessions } from '../session-records.ts'

/** Returns the id of an open conversation of which something is saved. Throws `input`, which says what else cannot be `done`. */
export async function requireSaved(
  id: SessionId | undefined,
  done: 'exported' | 'copied',
  { machine, signal }: { readonly machine: Machine; readonly signal: AbortSignal },
): Promise<SessionId> {
  if (id === undefined)
    throw new PipeError('input', `this conversation is not saved, so it cannot be ${done}`)
  const [saved] = await openSessions(machine).find(id, { signal })
  if (saved !== undefined) return saved
  throw new PipeError(
    'input',
    `this conversation has no messages yet, so it cannot be ${done}: send one first`,
  )
}
