import type { JsonObject } from '../json-value.ts'
import type { SessionDraft } from './session-draft.ts'

/** The session format of one agent. */
export interface Format {
  /** The agent's name. */
  readonly agent: string
  /** Whether only this format has such a line. */
  recognises(line: JsonObject): boolean
  open(draft: SessionDraft): FormatReader
}

/** Reads the lines of one session into its draft, in order. */
export interface FormatReader {
  read(line: JsonObject): void
  /** Takes in what waited for another line. */
  end(): void
}
