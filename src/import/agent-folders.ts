import { createHash } from 'node:crypto'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { listFolder } from '../files/walk/list-folder.ts'
import { readBeside } from './read-beside.ts'

/** Finds the folders in which agents keep their sessions. */
export interface AgentFolders {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** Maximum entries of a folder that are looked at. */
const mostEntries = 5_000
/** Maximum rollouts of Codex that are looked at. */
const mostRollouts = 20_000

/** Lists the sessions of Claude Code about a folder. Those of sub-agents lie beside, or begin with `agent-`. */
export async function claudeFiles({ env, home }: AgentFolders, cwd: string): Promise<readonly string[]> {
  const root = folderOf(env['CLAUDE_CONFIG_DIR'], join(home, '.claude'))
  const files = await foreignSessionFiles(join(root, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-')))
  return files.filter((path) => !/\/agent-[^/]*$/.test(path))
}

export function codexHome({ env, home }: AgentFolders): string {
  return folderOf(env['CODEX_HOME'], join(home, '.codex'))
}

/** Lists the rollouts of Codex, the last day first: a folder for each day, all working folders together. */
export async function rollouts(codexHome: string, ending?: RegExp): Promise<readonly string[]> {
  const root = join(codexHome, 'sessions')
  const files: string[] = []
  for (const year of await subfolders(root))
    for (const month of await subfolders(year))
      for (const day of await subfolders(month)) {
        if (files.length >= mostRollouts) return files
        files.push(...(await foreignSessionFiles(day, ending)))
      }
  return [...files, ...(await foreignSessionFiles(root, ending))]
}

/** Rollouts that Codex packed end in `.zst`. */
export const rolloutEnding = /\.jsonl(\.zst)?$/

/** Lists the rollouts that were put away. */
export function archivedRollouts(codexHome: string): Promise<readonly string[]> {
  return foreignSessionFiles(join(codexHome, 'archived_sessions'), rolloutEnding)
}

/** Returns the folders of Codex in which a rollout may lie, by its path. */
export function codexHomesAbove(path: string): readonly string[] {
  const day = dirname(path)
  const above = [day, dirname(dirname(dirname(day)))]
  return above.filter((folder) => /^(archived_)?sessions$/.test(basename(folder))).map(dirname)
}

/** Lists the sessions of pi about a folder. */
export async function piFiles({ env, home }: AgentFolders, cwd: string): Promise<readonly string[]> {
  const root = folderOf(env['PI_CODING_AGENT_DIR'], join(home, '.pi', 'agent'))
  const own = await foreignSessionFiles(
    join(root, 'sessions', `--${cwd.replace(/^\//, '').replace(/[/\\:]/g, '-')}--`),
  )
  const moved = env['PI_CODING_AGENT_SESSION_DIR'] ?? ''
  return isAbsolute(moved) ? [...own, ...(await foreignSessionFiles(moved))] : own
}

/** Lists the sessions of Gemini CLI about a folder. Early versions named theirs after its hash. */
export async function geminiFiles(
  { env, home, signal }: AgentFolders & { readonly signal: AbortSignal },
  cwd: string,
): Promise<readonly string[]> {
  const hash = createHash('sha256').update(cwd).digest('hex')
  const files: string[] = []
  for (const folder of await subfolders(join(folderOf(env['GEMINI_CLI_HOME'], home), '.gemini', 'tmp')))
    if (basename(folder) === hash || (await geminiProject(folder, signal)) === cwd)
      files.push(...(await foreignSessionFiles(join(folder, 'chats'), /\.jsonl?$/)))
  return files.filter((path) => basename(path).startsWith('session-'))
}

/** Returns the folder that a project of Gemini CLI is about. */
export async function geminiProject(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const written = (await readBeside(join(folder, '.project_root'), signal))?.trim() ?? ''
  return isAbsolute(written) ? written : undefined
}

function folderOf(set: string | undefined, usual: string): string {
  return set !== undefined && isAbsolute(set) ? set : usual
}

/** Lists the files of a folder that look like sessions. */
export async function foreignSessionFiles(folder: string, ending = /\.jsonl$/): Promise<readonly string[]> {
  const entries = (await listFolder(folder, mostEntries)) ?? []
  return entries
    .filter(({ name, isLink, isFolder }) => ending.test(name) && !isLink && !isFolder)
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
