import { basename } from 'node:path'
import { isSurvivable } from '../error.ts'
import { promises } from '../files/lazy-fs.ts'
import { readChunks } from '../files/reading/chunks.ts'
import { systemCode } from '../files/system-error.ts'
import type { Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type AgentFolders, claudeFiles, codexHome, geminiFiles, piFiles, rollouts } from './agent-folders.ts'
import { lastTitle } from './last-title.ts'
import type { ReadingSession } from './read-session.ts'
import type { SessionDraft } from './session-draft.ts'
import { listedTitle, openUntitled } from './session-file.ts'

export interface SessionSearch extends ReadingSession, AgentFolders {
  /** The folder that the sessions are about. A real path. */
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface FoundSession {
  readonly path: string
  readonly agent: string
  /** ISO 8601, UTC. */
  readonly updatedAt: string
  readonly title?: string
  /** The first messages. */
  readonly messages: readonly Message[]
}

/** Maximum rollouts of Codex that are looked into, the last days first: they are about all folders. */
const mostRollouts = 1_000
/** Maximum bytes that are read of each file up to its first prompt, which may be long. */
const headBytes = 64 * 1024 * 1024

/** Finds sessions of other agents about a folder where those keep them, last written first. Skips files that cannot be read. */
export async function* findSessions(
  search: SessionSearch,
): AsyncGenerator<FoundSession, undefined, undefined> {
  const { cwd } = search
  const paths = [
    ...(await claudeFiles(search, cwd)),
    ...newestSegments(await rollouts(codexHome(search))).slice(0, mostRollouts),
    ...(await geminiFiles(search, cwd)),
    ...(await piFiles(search, cwd)),
  ]
  const dated = (await Promise.all(paths.map(datedFile))).filter((file) => file !== undefined)
  for (const { path, changed } of dated.sort((a, b) => b.changed - a.changed)) {
    const head = await readHead(path, search)
    if (head === undefined) continue
    const { agent, messages } = head
    const listed = await listedTitle(head, { ...search, path })
    const title = listed ?? (await lastTitle(path, search)) ?? head.title
    yield { path, agent, updatedAt: new Date(changed).toISOString(), messages, ...omitUndefined({ title }) }
  }
}

/** Leaves out the rollouts of a thread that later ones continue: a thread that was rewound goes on in a new file. */
function newestSegments(paths: readonly string[]): readonly string[] {
  const newest = new Map<string, string>()
  for (const path of paths) {
    // The name holds a time, then the ids of the thread and of its segment, which grow with time.
    const thread = /^rollout-.+?-([0-9a-f]{8}-.{27})(?:_|\.)/.exec(basename(path))?.[1] ?? path
    const known = newest.get(thread)
    if (known === undefined || basename(known) < basename(path)) newest.set(thread, path)
  }
  return [...newest.values()]
}

/** Returns `undefined` for a file that is gone. */
async function datedFile(path: string) {
  try {
    return { path, changed: (await promises().lstat(path)).mtimeMs }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/** Reads a session up to its first prompt. Returns `undefined` if it has none, or is about another folder. */
async function readHead(path: string, search: SessionSearch) {
  const isEnough = (draft: SessionDraft) =>
    (draft.cwd !== undefined && draft.cwd !== search.cwd) || draft.hasPrompt
  try {
    const head = await openUntitled(headOf(path, search.signal), { ...search, path, isEnough })
    // The first sessions of Gemini CLI name no folder, but lie in that of this one.
    const isAbout = head.cwd === search.cwd || (head.cwd === undefined && head.agent === 'Gemini CLI')
    return isAbout && !head.isOfSubAgent && head.messages.length > 0 ? head : undefined
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return undefined
  }
}

async function* headOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let left = headBytes
  for await (const chunk of readChunks(path, { signal })) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}
