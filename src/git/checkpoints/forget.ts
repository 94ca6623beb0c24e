import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { drop, listEntries } from './stack.ts'

/** Deletes the saved turns of these sessions. Git frees their files when it next collects garbage. Throws what `git` throws. */
export async function forgetTurns(
  shadow: Shadow,
  sessions: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  if (!shadow.exists) return
  const steady = shadow.within(undoLimits.ms, signal)
  const entries = (await listEntries(steady, undefined)).filter(({ session }) => sessions.has(session))
  if (entries.length > 0) await steady.exclusively(() => drop(steady, entries))
}
