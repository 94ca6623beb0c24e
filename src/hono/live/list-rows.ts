import type { SessionId } from '../../id.ts'
import type { SessionRow } from '../../json/served/session-schema.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ServedProject } from '../backend.ts'
import type { Hub } from './hub.ts'
import { sessionRow } from './live-session-row.ts'

export interface ListedRows {
  readonly sessions: readonly SessionRow[]
  /** The place at which the next list goes on. Absent: there are no more. */
  readonly next?: string
}

export interface ListRequest {
  /** Default: all. */
  readonly project?: ServedProject | undefined
  /** Lists the elves' sessions of this one. Default: those that are no elf's. */
  readonly parent?: SessionId
  readonly limit: number
  /** Begins after this session. Default: at the newest. */
  readonly before?: string
  readonly signal: AbortSignal
}

/** Lists sessions, the one written last first. Sessions that are open and have no message yet come before all others. */
export async function listRows(hub: Hub, request: ListRequest): Promise<ListedRows> {
  const { limit, before, project, parent } = request
  const rows: SessionRow[] = []
  let isReached = before === undefined
  if (isReached && parent === undefined) rows.push(...begunRows(hub, project))
  for await (const stored of hub.stored.list(request)) {
    const { id } = stored.summary
    if (isReached && rows.length >= limit) return page(rows, limit)
    if (isReached) rows.push(sessionRow(stored, hub.get(id)))
    else isReached = id === before
  }
  return rows.length > limit ? page(rows, limit) : { sessions: rows }
}

function begunRows(hub: Hub, project: ServedProject | undefined): readonly SessionRow[] {
  return hub.all
    .filter((live) => live.conversation.messages.length === 0)
    .filter((live) => project === undefined || live.project.name === project.name)
    .map((live) => sessionRow(undefined, live))
}

function page(rows: readonly SessionRow[], limit: number): ListedRows {
  const sessions = rows.slice(0, limit)
  return { sessions, ...omitUndefined({ next: sessions.at(-1)?.id }) }
}
