import { isAbsolute, join } from 'node:path'
import { isPipeError } from '../error.ts'
import { readChunks } from '../files/chunks.ts'
import { promises } from '../files/lazy-fs.ts'
import { listFolder } from '../files/list-folder.ts'
import { splitLines } from '../files/split-lines.ts'
import { systemCode } from '../files/system-error.ts'
import type { Message } from '../message.ts'
import { type ReadingSession, readSession } from './read-session.ts'

export interface Search extends ReadingSession {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The folder that the sessions are about. A real path. */
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface FoundSession {
  readonly path: string
  readonly agent: string
  /** ISO 8601, UTC. */
  readonly updatedAt: string
  /** The first messages. */
  readonly messages: readonly Message[]
}

/** Maximum entries of a folder that are looked at. */
const mostEntries = 5_000
/** Maximum files in the folders of Codex that are looked at. */
const mostFiles = 1_000
/** Bytes that are read of each file, for its folder and its first messages. */
const headBytes = 512 * 1024

/** Finds sessions of other agents about a folder where those keep them, last written first. Skips files that cannot be read. */
export async function* findSessions(search: Search): AsyncGenerator<FoundSession, undefined, undefined> {
  const { cwd } = search
  const paths = [...(await claudeFiles(search)), ...(await codexFiles(search)), ...(await piFiles(search))]
  const dated = (await Promise.all(paths.map(datedFile))).filter((file) => file !== undefined)
  for (const { path, changed } of dated.sort((a, b) => b.changed - a.changed)) {
    const head = await readHead(path, search)
    if (head?.cwd !== cwd || head.messages.length === 0) continue
    const { agent, messages } = head
    yield { path, agent, updatedAt: new Date(changed).toISOString(), messages }
  }
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

/** A folder for each working folder. Those of sub-agents lie beside, or begin with `agent-`. */
async function claudeFiles({ env, home, cwd }: Search): Promise<readonly string[]> {
  const root = folderOf(env['CLAUDE_CONFIG_DIR'], join(home, '.claude'))
  const files = await sessionFiles(join(root, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-')))
  return files.filter((path) => !/\/agent-[^/]*$/.test(path))
}

/** A folder for each day, all working folders together. */
async function codexFiles({ env, home }: Search): Promise<readonly string[]> {
  const root = join(folderOf(env['CODEX_HOME'], join(home, '.codex')), 'sessions')
  const files: string[] = []
  for (const year of await subfolders(root))
    for (const month of await subfolders(year))
      for (const day of await subfolders(month)) {
        if (files.length >= mostFiles) return files
        files.push(...(await sessionFiles(day)))
      }
  return [...files, ...(await sessionFiles(root))]
}

async function piFiles({ env, home, cwd }: Search): Promise<readonly string[]> {
  const root = folderOf(env['PI_CODING_AGENT_DIR'], join(home, '.pi', 'agent'))
  const own = await sessionFiles(
    join(root, 'sessions', `--${cwd.replace(/^\//, '').replace(/[/\\:]/g, '-')}--`),
  )
  const moved = env['PI_CODING_AGENT_SESSION_DIR'] ?? ''
  return isAbsolute(moved) ? [...own, ...(await sessionFiles(moved))] : own
}

function folderOf(set: string | undefined, usual: string): string {
  return set !== undefined && isAbsolute(set) ? set : usual
}

async function sessionFiles(folder: string): Promise<readonly string[]> {
  const entries = (await listFolder(folder, mostEntries)) ?? []
  return entries
    .filter(({ name, isLink }) => name.endsWith('.jsonl') && !isLink)
    .map(({ name }) => join(folder, name))
}

/** Lists the folders in a folder, the last by name first. */
async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = (await listFolder(folder, mostEntries)) ?? []
  const names = entries.filter(({ isFolder }) => isFolder).map(({ name }) => name)
  return names
    .toSorted()
    .reverse()
    .map((name) => join(folder, name))
}

async function readHead(path: string, search: Search) {
  try {
    return await readSession(splitLines(headOf(path, search.signal)), search)
  } catch (error) {
    if (!isPipeError(error) || error.code === 'aborted') throw error
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
