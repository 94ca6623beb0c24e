import { closeSync, constants, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { throwIfAborted } from '../../error.ts'
import { readFrom } from '../../files/descriptor.ts'
import { fileError, throwIfBug } from '../../files/system-error.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import {
  countOpen,
  type LoadedSession,
  outcomeOf,
  type SessionFile,
  type SessionSummary,
} from '../../session.ts'
import { isDiskEnvelope, isDiskMessage } from '../documents/session-check.generated.ts'
import { currentVersion, messagesLine, withoutComma } from './layout.ts'
import { sessionFiles, statSession } from './session-files.ts'
import { beginningOf, type Opener, type SummaryFacts, summaryOf } from './session-summary.ts'

/** Loading `node:fs/promises` would take two milliseconds. */
const readBytes = promisify(read)

/** Bytes to read of a file's beginning and end, and of long ones. */
const headSize = 16 * 1024
const tailSize = 8 * 1024
const longSize = 256 * 1024

/** Files read at a time, at most. */
const maxBatch = 16

export interface Listing {
  readonly directory: string
  readonly signal: AbortSignal
  /** Reads a whole file, if its beginning is not enough. */
  load(id: SessionId): Promise<LoadedSession>
}

/**
 * Lists the sessions of a folder, last written first. Reads one file, then more and more ahead of demand: often the first is the one
 * that is wanted. Throws `aborted`, `permission`.
 */
export async function* listSessions(listing: Listing): AsyncGenerator<SessionSummary, undefined, undefined> {
  const files = sessionFiles(listing.directory)
  const found = files.toSorted((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1))
  let size = 1
  for (let i = 0; i < found.length; i += size, size = Math.min(2 * size, maxBatch)) {
    throwIfAborted(listing.signal)
    // Reads the first without the thread pool: a run that continues it could do nothing else meanwhile.
    const reader = i === 0 ? readFrom : readLater
    const batch = found.slice(i, i + size)
    const summaries = await Promise.all(batch.map((file) => summarise(file, listing, reader)))
    for (const summary of summaries) if (summary !== undefined) yield summary
  }
}

/** Summarises one session from the beginning and the end of its file. Returns `undefined` if there is none. Throws `aborted`. */
export async function summariseSession(id: SessionId, listing: Listing): Promise<SessionSummary | undefined> {
  const file = statSession(listing.directory, id)
  return file && summarise(file, listing, readLater)
}

/** Returns `undefined` for a file that has disappeared. */
async function summarise(
  file: SessionFile,
  listing: Listing,
  reader: Reader,
): Promise<SessionSummary | undefined> {
  const seen = new Date(file.modified).toISOString()
  const { id, size } = file
  let summary: SessionSummary = { id, createdAt: seen, updatedAt: seen, size }
  try {
    const beginning = await readSummary(file, reader)
    summary = beginning?.summary ?? summary
    return beginning?.version === currentVersion ? summary : await readWhole(file, listing)
  } catch (error) {
    throwIfBug(error)
    const { code, message } = fileError(error, file.path, 'read')
    if (code === 'aborted') throw error
    return code === 'not_found' ? undefined : { ...summary, fault: message }
  }
}

async function readWhole({ id, path, size }: SessionFile, listing: Listing): Promise<SessionSummary> {
  const { session, damage } = await listing.load(id)
  const summary = { ...summaryOf(session), size }
  if (session.cwd !== undefined || damage.length === 0) return summary
  return {
    ...summary,
    fault: `the beginning of ${path} is lost; pipe -r ${id} continues with the rest`,
  }
}

interface Summarised {
  readonly version: unknown
  readonly summary: SessionSummary
}

async function readSummary(
  { id, path, size, modified }: SessionFile,
  reader: Reader,
): Promise<Summarised | undefined> {
  // Without O_NONBLOCK, a named pipe put in its place meanwhile would stop the program.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const readText = async (start: number, length: number) =>
    (await reader(descriptor, start, length)).toString('utf8')
  try {
    const short = readHead(await readText(0, headSize))
    const enough = short?.beginning.opening !== undefined || size <= headSize
    const head = enough ? short : readHead(await readText(0, longSize))
    if (head === undefined) return undefined
    const tail =
      readTail(await readText(Math.max(0, size - tailSize), tailSize)) ??
      readTail(await readText(Math.max(0, size - longSize), longSize))
    if (tail === undefined) return undefined
    const envelope: JsonObject = { ...head.fields, ...tail }
    if (!isDiskEnvelope(envelope) || envelope.created_at === undefined) return undefined
    const {
      created_at,
      updated_at,
      cwd,
      moved_to,
      title,
      model,
      parent_session_id: parent,
      pending,
      head: last,
      last_turn: lastTurn,
    } = envelope
    const summary = {
      id,
      createdAt: created_at,
      updatedAt: updated_at ?? new Date(modified).toISOString(),
      size,
      ...head.beginning,
      ...omitUndefined({
        cwd: moved_to ?? cwd,
        parentId: parent !== undefined && isSessionId(parent) ? parent : undefined,
        title,
        model,
        outcome: outcomeOf({ head: last, lastTurn }),
        pending: countOpen(pending),
      }),
    }
    return { version: head.fields['version'], summary }
  } finally {
    closeSync(descriptor)
  }
}

interface Head {
  readonly fields: JsonObject
  readonly beginning: SummaryFacts
}

/** Reads the beginning of a file in our layout, which has no newlines inside values. */
function readHead(text: string): Head | undefined {
  const at = text.indexOf(`\n${messagesLine}\n`) + 1
  const fields = at === 0 ? undefined : parseJson(`${text.slice(0, at)}${messagesLine}]}`)
  if (!isJsonObject(fields)) return undefined
  return { fields, beginning: beginningOf(readMessages(text.slice(at + messagesLine.length + 1))) }
}

function* readMessages(text: string): Generator<Opener, undefined, undefined> {
  for (const line of text.split('\n')) {
    const message = parseJson(withoutComma(line))
    if (isDiskMessage(message)) yield message
  }
}

/** Returns `undefined` if the text does not hold all of the end, which open questions make long, or it is damaged. */
function readTail(text: string): JsonObject | undefined {
  const at = text.lastIndexOf(closingLine)
  const fields = at === -1 ? undefined : parseJson(`{${text.slice(at + closingLine.length)}`)
  return isJsonObject(fields) ? fields : undefined
}

const closingLine = '\n],\n'

/** Reads `length` bytes of an open file, or those up to its end. */
type Reader = (descriptor: number, start: number, length: number) => Buffer | Promise<Buffer>

const readLater: Reader = async (descriptor, start, length) => {
  const { buffer, bytesRead } = await readBytes(descriptor, Buffer.allocUnsafe(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}
