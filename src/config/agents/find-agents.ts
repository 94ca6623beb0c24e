import { join, relative } from 'node:path'
import type { AgentDefinition } from '../../actor.ts'
import { isPipeError, PipeError, throwIfAborted } from '../../error.ts'
import { listFolder } from '../../files/walk/list-folder.ts'
import { readSettingsText } from '../settings-document.ts'
import { holds } from '../trust/project-root.ts'
import { contentHash } from '../trust/trust.ts'
import { type FindTool, readDefinition } from './definition.ts'
import type { AgentFolder } from './definition-folders.ts'
import explore from './explore.md'
import general from './general.md'
import review from './review.md'

/** Says that a file, or a part of it, has no effect. */
export interface AgentNote {
  readonly path: string
  /** Begins with the line if there is one: `4: …`. */
  readonly text: string
}

/** An agent of a project that the user has not approved as it is now. */
export interface UnapprovedAgent {
  readonly definition: AgentDefinition & { readonly path: string }
  /** Binds an approval to the file's path in the project and to its text. */
  readonly hash: string
}

export interface FoundAgents {
  /** By name, in its order. */
  readonly agents: ReadonlyMap<string, AgentDefinition>
  readonly unapproved: readonly UnapprovedAgent[]
  readonly notes: readonly AgentNote[]
}

interface FindOptions {
  readonly signal: AbortSignal
  readonly findTool: FindTool
}

/** Largest file in bytes, and most files of a folder. */
const limits = { bytes: 64 * 1024, files: 100, entries: 1_000 }

/**
 * Reads the agents of these folders, the strongest first, and the built-in ones. A weaker agent of a name is hidden; a file that cannot
 * be used costs only itself and is named in the notes. Throws `aborted`.
 */
export async function findAgents(
  folders: readonly AgentFolder[],
  { signal, findTool }: FindOptions,
): Promise<FoundAgents> {
  const agents = new Map<string, AgentDefinition>()
  const unapproved: UnapprovedAgent[] = []
  const notes: AgentNote[] = []
  for (const folder of folders) {
    throwIfAborted(signal)
    const files = await readFolder(folder, findTool)
    notes.push(...files.notes)
    const own = new Map<string, string>()
    for (const { definition, hash } of files.agents) {
      const { name, path } = definition
      const other = own.get(name)
      own.set(name, other ?? path)
      if (other !== undefined) notes.push({ path, text: `the agent ${name} is already in ${other}` })
      else if (folder.project !== undefined && folder.project.approved('agent', hash) !== true)
        unapproved.push({ definition, hash })
      else if (!agents.has(name)) agents.set(name, definition)
    }
  }
  for (const agent of builtinAgents(findTool)) if (!agents.has(agent.name)) agents.set(agent.name, agent)
  const byName = [...agents].sort(([a], [b]) => (a < b ? -1 : 1))
  return { agents: new Map(byName), unapproved, notes }
}

/** The agents of one folder, those that need no approval included. */
interface FolderFiles {
  readonly agents: readonly UnapprovedAgent[]
  readonly notes: readonly AgentNote[]
}

async function readFolder(folder: AgentFolder, findTool: FindTool): Promise<FolderFiles> {
  const entries = (await listFolder(folder.path, limits.entries)) ?? []
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith('.md'))
  const read = names
    .sort()
    .slice(0, limits.files)
    .map((name) => readFile(name, folder, findTool))
  const isCut = names.length > limits.files || entries.length === limits.entries
  const cut = { path: folder.path, text: `only the first ${limits.files} files are read` }
  return {
    agents: read.flatMap(({ agent }) => agent ?? []),
    notes: [...read.flatMap(({ notes }) => notes), ...(isCut ? [cut] : [])],
  }
}

interface AgentFile {
  readonly agent?: UnapprovedAgent
  readonly notes: readonly AgentNote[]
}

function readFile(
  name: string,
  { path: folder, source, project }: AgentFolder,
  findTool: FindTool,
): AgentFile {
  const path = join(folder, name)
  const broken = (text: string): AgentFile => ({ notes: [{ path, text }] })
  // A name like this could forge a line wherever it is shown.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    return { notes: [{ path: folder, text: `ignored ${JSON.stringify(name)}: invisible characters` }] }
  if (project !== undefined && !holds(project.root, path))
    return broken('ignored: it leads out of the project')
  const content = readContent(path)
  if (typeof content !== 'string') return broken(content.fault)
  const read = readDefinition(content, { source, path }, findTool)
  if (read.type === 'refused') return broken(read.reason)
  const { definition, notes } = read.value
  const hash = contentHash([relative(project?.root ?? folder, path), content])
  return {
    agent: { definition: { ...definition, path }, hash },
    notes: notes.map((text) => ({ path, text })),
  }
}

/** Reads a file's text, or the reason why it cannot be used. */
function readContent(path: string): string | { readonly fault: string } {
  try {
    return readSettingsText(path, limits.bytes) ?? { fault: 'it leads nowhere' }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { fault: error.message.replace(`cannot read ${path}: `, '') }
  }
}

/** Reads the agents that pipe brings along. */
export function builtinAgents(findTool: FindTool): readonly AgentDefinition[] {
  return [explore, general, review].map((text) => {
    const read = readDefinition(text, { source: 'builtin' }, findTool)
    if (read.type === 'refused') throw new PipeError('internal', `a built-in agent is broken: ${read.reason}`)
    return read.value.definition
  })
}
