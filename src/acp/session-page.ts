import type { ListSessionsResponse, SessionInfo } from '@agentclientprotocol/sdk'
import { PipeError } from '../error.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { SessionSummary } from '../session.ts'

/** Sessions on a page. */
const pageSize = 50

/** Lists the page behind a cursor, which is the id of the last session before it. Leaves out what elves and broken files are. */
export async function listPage(
  summaries: AsyncIterable<SessionSummary>,
  cursor: string | null | undefined,
): Promise<ListSessionsResponse> {
  const sessions: SessionInfo[] = []
  let isBehind = cursor == null
  for await (const { id, cwd, title, opening, updatedAt, parentId, fault } of summaries) {
    if (isBehind && cwd !== undefined && parentId === undefined && fault === undefined) {
      if (sessions.length === pageSize) return { sessions, nextCursor: sessions.at(-1)?.sessionId ?? null }
      sessions.push({ sessionId: id, cwd, updatedAt, ...omitUndefined({ title: title ?? opening }) })
    }
    if (id === cursor) isBehind = true
  }
  if (!isBehind)
    throw new PipeError('invalid', 'the session of this cursor is gone: start listing from the beginning')
  return { sessions }
}
