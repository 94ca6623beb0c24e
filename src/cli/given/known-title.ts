import type { Machine } from '../machine.ts'
import { findTitled } from '../wiring/session/titled-session.ts'
import { openSessions } from '../wiring/session-records.ts'

/** Whether a session on disk has this title. */
export async function hasTitle(
  title: string,
  machine: Pick<Machine, 'clock' | 'pid' | 'hostname' | 'env' | 'home'>,
): Promise<boolean> {
  const { signal } = new AbortController()
  return (await findTitled(title, { store: openSessions(machine), signal })) !== undefined
}
