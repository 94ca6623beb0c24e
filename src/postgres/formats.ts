import type { AuditEntry } from '../audit.ts'
import type { StoredEvent } from '../event-store.ts'
import type { SessionId } from '../id.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import type { Message } from '../message.ts'
import type { LoadedSession, NewSession, SessionState } from '../session.ts'

/** The JSON form of events, which all stores share. */
export interface EventFormat {
  /** Throws `invalid` for a malformed event. */
  encode(events: readonly StoredEvent[]): Promise<readonly JsonObject[]>
  /** Returns `undefined` for what is no event. */
  decode(value: JsonValue): StoredEvent | undefined
}

/** The hash and size of bytes that are stored apart. */
export interface Blob {
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

/** A session as its rows hold it. */
export interface SessionRows {
  readonly id: SessionId
  /** Names the place in errors. */
  readonly place: string
  readonly header: string
  readonly state: string
  readonly messages: readonly { readonly position: number; readonly body: string }[]
}

/** The JSON form of sessions. */
export interface SessionFormat {
  encodeHeader(session: NewSession): JsonObject
  /** Keeps the fields of `kept` that it does not know. */
  encodeState(state: SessionState, updatedAt: string, kept: JsonObject): JsonObject
  /** `write` keeps large images and documents. */
  encodeMessage(message: Message, write: (bytes: Buffer) => Promise<Blob>): Promise<object>
  /** Encodes what a list shows of the user's first words: `opening`, `git_branch`. Empty if there are none. */
  beginningOf(messages: readonly Message[]): JsonObject
  /** `readBlobs` returns those it finds as base64. Throws `input` for a newer version, and `aborted`. */
  load(
    rows: SessionRows,
    readBlobs: (blobs: readonly Blob[]) => Promise<ReadonlyMap<string, string>>,
    signal: AbortSignal,
  ): Promise<LoadedSession>
}

/** The position of a line in an audit log. */
export interface Seal {
  readonly seq: number
  readonly hash: string
}

/** The lines of audit logs. */
export interface AuditFormat {
  /** The seal before the first line. */
  readonly unsealed: Seal
  /** The fields of a log's first line. */
  header(log: { readonly session: string; readonly cwd: string; readonly createdAt: string }): JsonObject
  /** Encodes an entry without secrets. */
  encode(entry: AuditEntry): JsonObject
  /** Builds the next line, chained to the one before. */
  seal(before: Seal, fields: JsonObject): { readonly line: string; readonly seal: Seal }
  /** Returns the seal of the last line, damaged or not. */
  sealOf(line: string, seq: number): Seal
}
