import type { SessionId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import type { LoadedSession, NewSession, SessionState } from '../../session.ts'
import { encodeMessage } from '../../wire/message-json.ts'
import { encodeHeader, encodeState } from '../documents/encode-document.ts'
import { detachBlobs, type WriteBlob } from './blobs.ts'
import { unknownState } from './layout.ts'
import { loadSession, type SessionOrigin } from './load.ts'
import { migrations, stepsFrom } from './migrate.ts'
import { beginningOf } from './session-summary.ts'

/** A session as rows of JSON: the parts of its file. */
export interface SessionRows {
  readonly id: SessionId
  /** Names the place in errors. */
  readonly place: string
  /** The fields before the messages. */
  readonly header: string
  /** The fields after them. */
  readonly state: string
  readonly messages: readonly { readonly position: number; readonly body: string }[]
}

/** The JSON form of sessions, for stores that keep it elsewhere. */
export const sessionFormat = {
  encodeHeader: (session: NewSession): JsonObject => encodeHeader(session),

  /** Encodes the state together with the fields of `kept` that it lacks. */
  encodeState: (state: SessionState, updatedAt: string, kept: JsonObject = {}): JsonObject => ({
    ...unknownState(kept),
    updated_at: updatedAt,
    ...encodeState(state),
  }),

  /** Encodes a message. `write` keeps its large images and documents. */
  encodeMessage: async (message: Message, write: WriteBlob): Promise<object> =>
    detachBlobs(encodeMessage(message), write),

  /** Returns what a list of sessions shows of the first words, as JSON; empty if the user says nothing in these messages. */
  beginningOf: (messages: readonly Message[]): JsonObject => {
    const { opening, gitBranch } = beginningOf(messages.map(encodeMessage))
    return opening === undefined
      ? {}
      : { opening, ...(gitBranch === undefined ? {} : { git_branch: gitBranch }) }
  },

  /** Throws `input` for a session of a newer version, and `aborted`. */
  load: async (
    { id, place, header, state, messages }: SessionRows,
    readBlobs: SessionOrigin['readBlobs'],
    signal: AbortSignal,
  ): Promise<LoadedSession> => {
    const fields = { ...asObject(parseJson(header)), ...asObject(parseJson(state)) }
    const steps = stepsFrom(fields['version'], migrations, place)
    const rows = messages.map(({ position, body }) => {
      const value = steps.reduce((message, step) => step.message(message), asObject(parseJson(body)))
      return { line: position + 1, position, value }
    })
    const envelope = steps.reduce((one, step) => step.envelope(one), fields)
    const modified = Date.parse(String(fields['updated_at'])) || 0
    return loadSession({ fields: envelope, rows, damage: [], modified }, { id, readBlobs }, signal)
  },
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
