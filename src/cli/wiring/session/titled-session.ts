import type { SessionId } from '../../../id.ts'
import type { SessionStore } from '../../../session.ts'

/** Finds the newest session of this title. That of an elf is none. */
export async function findTitled(
  title: string,
  { store, signal }: { readonly store: Pick<SessionStore, 'list'>; readonly signal: AbortSignal },
): Promise<SessionId | undefined> {
  for await (const summary of store.list({ signal }))
    if (summary.title === title && summary.parentId === undefined) return summary.id
  return undefined
}
