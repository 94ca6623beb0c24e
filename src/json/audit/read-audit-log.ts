import { type FileHandle, open, stat } from 'node:fs/promises'
import { PipeError } from '../../error.ts'
import type { TextLine } from '../../files/reading/split-lines.ts'
import { fileError } from '../../files/system-error.ts'
import type { SessionId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import { readLines } from '../lines.ts'
import { listSessionIds } from '../sessions/session-ids.ts'
import { auditEnding, auditPath } from './log.ts'

/** An entry as stored in its log. Its message is a `LogForm` with long texts cut. */
export interface StoredEntry {
  readonly id: string
  readonly timestamp: string
  readonly actor: string
  readonly decision: string
  readonly message: JsonObject | null
  readonly audit: JsonObject
}

interface ReadOptions {
  readonly directory: string
  readonly signal: AbortSignal
}

/** Reads the lines of a log. Throws `not_found`, `permission`, `aborted`. */
export async function* readAuditLines(
  session: string,
  { directory, signal }: ReadOptions,
): AsyncGenerator<TextLine, undefined, undefined> {
  const file = await openLog(auditPath(directory, session))
  try {
    yield* readLines(file, signal)
  } finally {
    await file.close()
  }
}

/** Reads the entries of a log in order. Skips other lines, damaged or not. */
export async function* readAudit(
  lines: AsyncIterable<TextLine>,
): AsyncGenerator<StoredEntry, undefined, undefined> {
  for await (const { bytes } of lines) {
    const entry = parseJson(bytes.toString('utf8'))
    if (isEntry(entry)) yield entry
  }
}

function isEntry(value: JsonValue | undefined): value is JsonObject & StoredEntry {
  if (!isJsonObject(value)) return false
  const { message, audit } = value
  const texts = ['id', 'timestamp', 'actor', 'decision'].every((name) => typeof value[name] === 'string')
  return texts && isJsonObject(audit) && (message === null || isJsonObject(message))
}

/** Finds the log with this id, or the only one whose id begins with it. Throws `input` if there is none or several. */
export async function findAudit(
  text: string,
  { directory }: Pick<ReadOptions, 'directory'>,
): Promise<SessionId> {
  const ids = listSessionIds(directory, auditEnding)
  const exact = ids.find((id) => id === text)
  if (exact !== undefined) return exact
  const matches = ids.filter((id) => id.startsWith(text))
  const [only, second] = matches
  if (only === undefined)
    throw new PipeError('input', `there is no audit log of session ${text} in ${directory}`)
  if (second === undefined) return only
  throw new PipeError('input', `several sessions begin with ${text}: ${matches.slice(0, 5).join(', ')}`)
}

/** A log and the session it belongs to. */
export interface ListedAudit {
  readonly session: SessionId
  /** ISO 8601, UTC. */
  readonly modifiedAt: string
}

/** Lists the logs about this folder, last written first. */
export async function* auditsAbout(
  cwd: string,
  { directory, signal }: ReadOptions,
): AsyncGenerator<ListedAudit, undefined, undefined> {
  const ids = listSessionIds(directory, auditEnding)
  const dated = await Promise.all(
    ids.map(async (id) => ({ id, at: (await stat(auditPath(directory, id))).mtimeMs })),
  )
  for (const { id, at } of dated.sort((a, b) => b.at - a.at)) {
    if ((await readFolder(auditPath(directory, id), signal)) !== cwd) continue
    yield { session: id, modifiedAt: new Date(at).toISOString() }
  }
}

/** Returns the session with the last written log about this folder. Throws `input` if there is none. */
export async function newestAudit(cwd: string, options: ReadOptions): Promise<SessionId> {
  for await (const { session } of auditsAbout(cwd, options)) return session
  throw new PipeError('input', `no audit log about ${cwd}; pipe audit show ID shows one of another folder`)
}

/** Reads the folder in a log's header. */
async function readFolder(path: string, signal: AbortSignal): Promise<JsonValue | undefined> {
  const file = await openLog(path)
  try {
    for await (const { bytes } of readLines(file, signal)) {
      const header = parseJson(bytes.toString('utf8'))
      return isJsonObject(header) ? header['cwd'] : undefined
    }
    return undefined
  } finally {
    await file.close()
  }
}

/** Opens a log for reading. Throws `not_found`, `permission`, `internal`. */
async function openLog(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}
