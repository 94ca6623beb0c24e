import { PipeError } from '../error.ts'
import type { FollowedNews } from '../followed-conversation.ts'
import type { SessionId } from '../id.ts'
import { decodeEvent } from '../json/documents/decode-event.ts'
import { decodeQueue, decodeSnapshot } from '../json/served/decode-snapshot.ts'
import { settingsLineSchema } from '../json/served/session-schema.ts'
import { queueSchema, snapshotSchema } from '../json/served/snapshot-schema.ts'
import type { JsonObject } from '../json-value.ts'
import { text } from '../wire/json-fields.ts'

export interface NewsContext {
  readonly session: SessionId
  /** `<run>-<number>` of the line; the run is the id of the agent. */
  readonly position: string
}

/** Reads a line of a session's events. `undefined` for one of a type that this version does not know. Throws `protocol`. */
export function readNews(line: JsonObject, { session, position }: NewsContext): FollowedNews | undefined {
  switch (line['type']) {
    case 'snapshot': {
      const { success, data } = snapshotSchema.safeParse({ position, ...line })
      if (!success) throw unlike('snapshot')
      return { type: 'snapshot', snapshot: decodeSnapshot(data, session) }
    }
    case 'queue': {
      const { success, data } = queueSchema.safeParse(line['queue'])
      if (!success) throw unlike('queue')
      return { type: 'queue', queue: decodeQueue(data, session) }
    }
    case 'settings': {
      const { success, data } = settingsLineSchema.safeParse(line)
      if (!success) throw unlike('setting')
      return data
    }
    case 'failed':
      return { type: 'failed', reason: text(line['message']) }
    default: {
      const event = decodeEvent(line, session)
      return event && { type: 'event', event, isOwn: event.agentId === runOf(position) }
    }
  }
}

function runOf(position: string): string {
  return position.slice(0, position.lastIndexOf('-'))
}

function unlike(type: string): PipeError {
  return new PipeError('protocol', `the server sent a ${type} that is not as this version knows it`)
}
