import { isSurvivable } from '../error.ts'
import type { SearchableMessage, SearchableSession } from '../memory/recall.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Redact } from '../redaction/redaction.ts'
import type { SessionFile } from '../session.ts'
import { indexedText } from './indexed-text.ts'
import type { IndexedDocument } from './search-source.ts'
import type { TextDocument } from './text-source.ts'

export interface SessionReading {
  read(file: SessionFile, signal: AbortSignal): Promise<SearchableSession>
  readonly redact: Redact
  readonly signal: AbortSignal
}

/**
 * Reads what the index does not know of a session yet: its new messages, or all if its file was rewritten. Returns `undefined` if the
 * file cannot be read now.
 */
export async function readNewMessages(
  file: SessionFile,
  known: IndexedDocument | undefined,
  { read, redact, signal }: SessionReading,
): Promise<TextDocument | undefined> {
  try {
    const { createdAt, cwd, messages } = await read(file, signal)
    const isContinued = known?.createdAt === createdAt && known.through <= messages.length
    const from = isContinued ? known.through : 0
    return composeDocument({ file, createdAt, cwd, from, messages: messages.slice(from), redact })
  } catch (error) {
    if (!isSurvivable(error)) throw error
    // No session: remembered as an empty one, so that it is not read again.
    const empty = { file, createdAt: '', cwd: undefined, from: 0, messages: [], redact }
    return error.code === 'input' ? composeDocument(empty) : undefined
  }
}

export interface NewMessages {
  readonly file: SessionFile
  readonly createdAt: string
  readonly cwd: string | undefined
  /** Counts the messages before these. */
  readonly from: number
  readonly messages: readonly SearchableMessage[]
  readonly redact: Redact
}

/** Makes a document of messages that follow those already indexed. */
export function composeDocument(given: NewMessages): TextDocument {
  const { file, createdAt, cwd, from, messages, redact } = given
  const { id, size, modified } = file
  const at = Date.parse(messages.at(-1)?.timestamp ?? '')
  const texts = messages.map((message) => indexedText(message, redact)).filter(Boolean)
  return {
    id,
    createdAt,
    from,
    through: from + messages.length,
    size,
    modified,
    ...omitUndefined({ cwd }),
    at: Number.isNaN(at) ? Math.round(modified) : at,
    text: texts.join('\n'),
  }
}
