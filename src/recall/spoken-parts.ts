import type { Clock } from '../clock.ts'
import type { SessionId } from '../id.ts'
import type { SearchableSession } from '../memory/recall.ts'
import type { Embedder, VectorStore } from '../memory/vector-store.ts'
import type { Redact } from '../redaction/redaction.ts'
import type { SessionFile, SessionListing } from '../session.ts'

/** The files, clock and functions that the search is given. */
export interface RecallParts {
  /** Folder of the index, created on demand. */
  readonly folder: string
  /** Lists the files of all sessions. */
  list(): Promise<SessionListing>
  /** Returns `modified` as a listing would have it. */
  modified(): number
  /** Finds the file of one session. */
  file(id: SessionId): SessionFile | undefined
  /** Reads a session. Throws `not_found`, `permission`, and `input` if the file is no session. */
  read(file: SessionFile, signal: AbortSignal): Promise<SearchableSession>
  readonly redact: Redact
  readonly clock: Clock
  /** The process that writes the index, and its machine. */
  readonly pid: number
  readonly host: string
  /** Opens the model for embeddings; `undefined` if none is chosen. Default: none. Throws `config`, `auth`. */
  openEmbedder?(): Promise<Embedder | undefined>
  /** Opens the vectors of sessions that a model made, `provider/model`. The caller closes them. Throws `config`. */
  openVectors?(model: string): Promise<VectorStore>
  /** Whether `add` may move a long journal into a segment in the background. Default: only a search does. */
  readonly tidies?: boolean
}
