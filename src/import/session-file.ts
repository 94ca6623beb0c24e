import { dirname, join } from 'node:path'
import { splitLines } from '../files/reading/split-lines.ts'
import { cleanTitle, namedLength } from '../history/title-text.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { text } from '../wire/json-fields.ts'
import { type AgentFolders, codexHome, codexHomesAbove, geminiProject } from './agent-folders.ts'
import { CodexHistory } from './codex/history.ts'
import { readBeside } from './read-beside.ts'
import { type ForeignSession, maxLineBytes, type ReadingSession, readSession } from './read-session.ts'

export interface ImportContext extends AgentFolders, ReadingSession {
  /** The path of the file; `undefined` for stdin. */
  readonly path: string | undefined
  readonly signal: AbortSignal
}

/** A session with what its agent keeps of it in other files. */
export interface OpenedSession extends ForeignSession {
  /** The files in which its beginning was, the oldest first. */
  readonly beginnings: readonly string[]
}

/**
 * Reads a session of another agent with what that keeps in other files: the beginning and the title for Codex, the folder for Gemini CLI.
 * Throws as `readSession` and `readChunks` do.
 */
export async function openSession(
  chunks: AsyncIterable<Uint8Array>,
  opening: ImportContext,
): Promise<OpenedSession> {
  const session = await openUntitled(chunks, opening)
  return { ...session, ...omitUndefined({ title: await listedTitle(session, opening) }) }
}

/** Reads a session as `openSession` does, without a title that stands in another file. */
export async function openUntitled(
  chunks: AsyncIterable<Uint8Array>,
  opening: ImportContext,
): Promise<OpenedSession> {
  const history = new CodexHistory(opening)
  const session = await readSession(history.join(splitLines(chunks, maxLineBytes)), opening)
  const cwd = session.agent === 'Gemini CLI' ? await geminiFolder(opening) : undefined
  const missing = history.missing.map((kind) => ({ kind, count: 1 }))
  const leftOut = [...missing, ...session.leftOut]
  return { ...session, ...omitUndefined({ cwd }), leftOut, beginnings: history.files }
}

/** Returns the name that a thread of Codex was given last, which stands in a list of its own. */
export async function listedTitle(
  { agent, sourceId }: ForeignSession,
  opening: ImportContext,
): Promise<string | undefined> {
  if (agent !== 'Codex') return undefined
  const homes = opening.path === undefined ? [] : codexHomesAbove(opening.path)
  for (const home of new Set([...homes, codexHome(opening)])) {
    const index = await readBeside(join(home, 'session_index.jsonl'), opening.signal)
    const rows = (index ?? '').split('\n').flatMap((line) => {
      const row = parseJson(line)
      return isJsonObject(row) && row['id'] === sourceId ? [text(row['thread_name'])] : []
    })
    const title = cleanTitle(rows.at(-1) ?? '', namedLength)
    if (title !== '') return title
  }
  return undefined
}

/** Returns the working folder, which stands beside the folder of the sessions. */
async function geminiFolder(opening: ImportContext): Promise<string | undefined> {
  if (opening.path === undefined) return undefined
  return geminiProject(dirname(dirname(opening.path)), opening.signal)
}
