import type { Ending, Position, Watched } from '../conversation.ts'
import { isErrorCode, PipeError } from '../error.ts'
import type { SessionId } from '../id.ts'
import { decodeStopReason } from '../json/documents/decode.ts'
import { decodeEvent } from '../json/documents/decode-event.ts'
import { decodeInteraction } from '../json/documents/decode-question.ts'
import { decodeQueue, decodeSnapshot } from '../json/served/decode-snapshot.ts'
import {
  askedLineSchema,
  type EndedLine,
  endedLineSchema,
  settingsLineSchema,
} from '../json/served/session-schema.ts'
import { queueSchema, snapshotSchema } from '../json/served/snapshot-schema.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** A snapshot as the server sends it: a line of its own tells the settings. */
export type SentNews =
  | Exclude<Watched, { readonly type: 'snapshot' }>
  | {
      readonly type: 'snapshot'
      readonly position: string
      readonly snapshot: ReturnType<typeof decodeSnapshot>
    }

export interface NewsContext {
  readonly session: SessionId
  /** The position of the line; its run is the id of the agent. */
  readonly position: string
}

/** Reads a line of a session's events. `undefined` for one of a type that this version does not know. Throws `protocol`. */
export function readNews(line: JsonObject, { session, position }: NewsContext): SentNews | undefined {
  switch (line['type']) {
    case 'snapshot': {
      const { success, data } = snapshotSchema.safeParse({ position, ...line })
      if (!success) throw unlike('snapshot')
      return { type: 'snapshot', position, snapshot: decodeSnapshot(data, session) }
    }
    case 'queue': {
      const { success, data } = queueSchema.safeParse(line['queue'])
      if (!success) throw unlike('queue')
      return { type: 'queue', position, queue: decodeQueue(data, session) }
    }
    case 'settings': {
      const { success, data } = settingsLineSchema.safeParse(line)
      if (!success) throw unlike('setting')
      const { model, thinking, mode } = data
      return { type: 'settings', position, settings: { model, ...omitUndefined({ thinking }), mode } }
    }
    case 'asked': {
      const { success, data } = askedLineSchema.safeParse(line)
      if (!success) throw unlike('question')
      const question = decodeInteraction(data.interaction)
      return question && { type: 'asked', position, question }
    }
    case 'ended': {
      const { success, data } = endedLineSchema.safeParse(line)
      if (!success) throw unlike('end of a turn')
      return { type: 'ended', position, ending: endingOf(data) }
    }
    case 'settled':
      return { type: 'settled', position }
    default: {
      const event = decodeEvent(line, session)
      return event && { type: 'event', position, event, isOwn: event.agentId === runOf(position) }
    }
  }
}

/** Counts the events between a position and an earlier one; infinite if another run of the conversation has begun. */
export function eventsAhead(position: Position, earlier: Position): number {
  return runOf(position) === runOf(earlier)
    ? numberOf(position) - numberOf(earlier)
    : Number.POSITIVE_INFINITY
}

/** The number of the last event; a fact behind it adds `.N`. */
function numberOf(position: Position): number {
  return Number.parseInt(position.slice(position.lastIndexOf('-') + 1), 10)
}

function runOf(position: string): string {
  return position.slice(0, position.lastIndexOf('-'))
}

function endingOf({ stop_reason, error, unsaved }: EndedLine): Ending {
  return {
    stopReason: decodeStopReason(stop_reason) ?? 'unknown',
    ...omitUndefined({
      error: error && errorOf(error),
      unsaved: unsaved && { part: unsaved.part, error: errorOf(unsaved.error) },
    }),
  }
}

function errorOf({ code, message }: { readonly code: string; readonly message: string }): PipeError {
  return new PipeError(isErrorCode(code) ? code : 'internal', message)
}

function unlike(type: string): PipeError {
  return new PipeError('protocol', `the server sent a ${type} that this version of pipe does not understand`)
}
