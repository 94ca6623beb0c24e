import { invalidField } from '../../error.ts'
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

/** Lists sessions, the one written last first. Throws `invalid` if the list has no session `before`. */
export async function listRows(hub: Hub, request: ListRequest): Promise<ListedRows> {
  const { limit, before } = request
  const sessions: SessionRow[] = []
  let isReached = before === undefined
  for await (const row of allRows(hub, request)) {
    if (isReached && sessions.length === limit)
      return { sessions, ...omitUndefined({ next: sessions.at(-1)?.id }) }
    if (isReached) sessions.push(row)
    else isReached = row.id === before
  }
  if (isReached) return { sessions }
  throw invalidField('before', 'expected the `next` of an earlier list')
}

/** Yields the sessions that are open and have no message yet before all others. */
async function* allRows(hub: Hub, request: ListRequest): AsyncGenerator<SessionRow, void, undefined> {
  if (request.parent === undefined) yield* begunRows(hub, request.project)
  for await (const stored of hub.stored.list(request)) yield sessionRow(stored, hub.get(stored.summary.id))
}

function begunRows(hub: Hub, project: ServedProject | undefined): readonly SessionRow[] {
  return hub.all
    .filter((live) => live.conversation.messages.length === 0)
    .filter((live) => project === undefined || live.project.name === project.name)
    .map((live) => sessionRow(undefined, live))
    .reverse()
}
