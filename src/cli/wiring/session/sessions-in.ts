import type { SessionStore, SessionSummary } from '../../../session.ts'

interface Stored {
  readonly store: SessionStore
  readonly signal: AbortSignal
}

/** Lists a folder's sessions, newest first, with faulty ones whose folder is unknown. */
export async function* sessionsIn(
  folder: string,
  { store, signal }: Stored,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  for await (const summary of store.list({ signal })) if (isIn(folder, summary)) yield summary
}

/** Whether a session is one of a folder, or faulty and of an unknown one. */
export function isIn(folder: string, { cwd, fault }: SessionSummary): boolean {
  return cwd === folder || (cwd === undefined && fault !== undefined)
}

/** Lists the same sessions without those of elves, which are continued by their ids alone. */
export async function* conversationsIn(
  folder: string,
  options: Stored,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  for await (const summary of sessionsIn(folder, options)) if (summary.parentId === undefined) yield summary
}
