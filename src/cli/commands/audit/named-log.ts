import type { TextLine } from '../../../files/reading/split-lines.ts'
import type { SessionId } from '../../../id.ts'
import type { SessionStore } from '../../../session.ts'

/** A session's log, on disk or in the database of tasks, or the log of folder trust. */
export interface NamedLog {
  readonly session: SessionId
  /** Its place, for people. */
  readonly place: string
  lines(): AsyncIterable<TextLine>
  /** Holds its session. Absent: it belongs to none. */
  readonly sessions?: SessionStore
  /** Whether a run still writes to the log. */
  isGrowing(): Promise<boolean>
}
