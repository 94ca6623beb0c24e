import { basename, join, relative } from 'node:path'
import type { AgentDefinition } from '../../actor.ts'
import { isPipeError, PipeError, throwIfAborted } from '../../error.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { withPluginFolders } from '../../machine/plugin-folders.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { agentServers, type ConfiguredServer } from '../mcp/find-servers.ts'
import { readSettingsText } from '../settings-document.ts'
import { entriesIn } from '../skills/folder-entries.ts'
import type { SkillNote } from '../skills/skill.ts'
import { holds } from '../trust/project-root.ts'
import { contentHash } from '../trust/trust.ts'
import type { KnownTools } from './agent-field.ts'
import { readDefinition } from './definition.ts'
import type { AgentFolder } from './definition-folders.ts'
import explore from './explore.md'
import general from './general.md'
import { notAgents } from './peer-agents.ts'
import review from './review.md'

/** Says that a file, or a part of it, has no effect. */
export interface AgentNote {
  readonly path: string
  /** Begins with the line if there is one: `4: …`. */
  readonly text: string
  /** `unusable`: the file is left out. `note`: the agent can be used, but not all of its file has an effect. */
  readonly kind: 'unusable' | 'note'
}

/** An agent of a project that the user has not approved as it is now. */
export interface UnapprovedAgent {
  readonly definition: AgentDefinition & { readonly path: string }
  /** Binds an approval to the file's path in the project and to its text. */
  readonly hash: string
  /** Binds an approval to the programs that it runs at events. */
  readonly hooksHash?: string
  /** The MCP servers that start for it, each with the hash that binds an approval. */
  readonly servers: readonly ConfiguredServer[]
}

export interface FoundAgents {
  /** By name, in its order. */
  readonly agents: ReadonlyMap<string, AgentDefinition>
  readonly unapproved: readonly UnapprovedAgent[]
  readonly notes: readonly AgentNote[]
}

interface FindOptions {
  readonly signal: AbortSignal
  readonly tools: KnownTools
  /** Agents that hide those of files, the strongest first. Default: none. */
  readonly given?: readonly AgentDefinition[] | undefined
}

/** Largest file in bytes, most files of a folder with all below it, and levels of folders. */
const limits = { bytes: 64 * 1024, files: 300, levels: 3 }

/**
 * Reads the agents of these folders, the strongest first, and the built-in ones. A weaker agent of a name is hidden and named; a file that
 * cannot be used costs only itself and is named in the notes. Throws `aborted`.
 */
export async function findAgents(
  folders: readonly AgentFolder[],
  { signal, tools, given = [] }: FindOptions,
): Promise<FoundAgents> {
  const agents = new Map(given.toReversed().map((agent): [string, AgentDefinition] => [agent.name, agent]))
  const unapproved: UnapprovedAgent[] = []
  const notes: AgentNote[] = []
  for (const folder of folders) {
    throwIfAborted(signal)
    const files = readFolder(folder, tools)
    notes.push(...files.notes)
    const own = new Map<string, string>()
    for (const read of files.agents) {
      const agent = folder.plugin === undefined ? read : ofPlugin(read, folder.plugin)
      const { name, path } = agent.definition
      if (agent.servers.length < read.servers.length)
        notes.push({
          path,
          text: 'its own MCP servers are not started: it belongs to a plugin',
          kind: 'note',
        })
      const other = own.get(name)
      own.set(name, other ?? path)
      const stronger = agents.get(name)
      if (other !== undefined)
        notes.push({ path, text: `the agent ${name} is already in ${other}`, kind: 'unusable' })
      else if (!isApproved(agent, folder)) unapproved.push(agent)
      else if (stronger === undefined) agents.set(name, agent.definition)
      else
        notes.push({ path, text: `hidden by ${stronger.path}, which is also called ${name}`, kind: 'note' })
    }
  }
  for (const agent of builtinAgents(tools)) if (!agents.has(agent.name)) agents.set(agent.name, agent)
  const byName = [...agents].sort(([a], [b]) => (a < b ? -1 : 1))
  return { agents: new Map(byName), unapproved, notes }
}

/** Names an agent of a plugin after it. */
function ofPlugin(agent: UnapprovedAgent, plugin: Plugin): UnapprovedAgent {
  const { ownServers: _, ...definition } = agent.definition
  const prompt = withPluginFolders(definition.prompt, plugin)
  const name = `${plugin.name}:${definition.name}`
  return { ...agent, servers: [], definition: { ...definition, name, source: 'plugin', prompt } }
}

/** Whether the user has approved the file of a project, and the programs and servers that it names. */
function isApproved({ hash, hooksHash, servers }: UnapprovedAgent, { project }: AgentFolder): boolean {
  if (project === undefined) return true
  const { approved } = project
  return (
    approved('agent', hash) === true &&
    (hooksHash === undefined || approved('hooks', hooksHash) === true) &&
    servers.every((one) => approved('mcp_server', one.hash) === true)
  )
}

/** The agents of one folder, those that need no approval included. */
interface FolderFiles {
  readonly agents: readonly UnapprovedAgent[]
  readonly notes: readonly AgentNote[]
}

/** Reads the agents of one folder and of those below it. */
export function readFolder(folder: AgentFolder, tools: KnownTools): FolderFiles {
  const notes: AgentNote[] = []
  const paths = filesIn(folder, notes)
  const read = paths.slice(0, limits.files).map((path) => readAgentFile(path, folder, tools))
  if (paths.length > limits.files)
    notes.push({ path: folder.path, text: `only the first ${limits.files} files are read`, kind: 'unusable' })
  return {
    agents: read.flatMap(({ agents }) => agents),
    notes: [...notes, ...read.flatMap((one) => one.notes)],
  }
}

function filesIn({ path: top, project, only }: AgentFolder, notes: AgentNote[]): readonly string[] {
  const paths: string[] = []
  const found: SkillNote[] = []
  const walk = (folder: string, level: number): void => {
    for (const { name, isFolder } of entriesIn(folder, { root: project?.root, notes: found })) {
      if (paths.length > limits.files) return
      if (only !== undefined && (level > 0 || isFolder || name !== only)) continue
      if (isFolder && level < limits.levels) walk(join(folder, name), level + 1)
      else if (!isFolder && /\.(md|toml)$/.test(name)) paths.push(join(folder, name))
    }
  }
  walk(top, 0)
  notes.push(...found.map(({ path, text }): AgentNote => ({ path, text, kind: 'unusable' })))
  return paths
}

/** Reads one file. Of those that only tell people about a folder, it makes nothing. */
export function readAgentFile(
  path: string,
  { path: folder, source, project }: AgentFolder,
  tools: KnownTools,
): FolderFiles {
  const broken = (text: string): FolderFiles => ({ agents: [], notes: [{ path, text, kind: 'unusable' }] })
  if (project !== undefined && !holds(project.root, path))
    return broken('ignored: it leads out of the project')
  const content = readContent(path)
  if (typeof content !== 'string') return broken(content.fault)
  if (notAgents.test(basename(path)) && !/^\ufeff?---/.test(content)) return { agents: [], notes: [] }
  const read = readDefinition(content, { source, path }, tools)
  if (read.type === 'refused') return broken(read.reason)
  const { definition, notes } = read.value
  const hash = contentHash([relative(project?.root ?? folder, path), content])
  const { hooks } = definition
  // Unlike that of a file of hooks, so that it approves none that run without the agent.
  const hooksHash = hooks && contentHash(['agent', hooks])
  const servers = agentServers({ ...definition, path })
  const agent = { definition: { ...definition, path }, hash, servers, ...omitUndefined({ hooksHash }) }
  return { agents: [agent], notes: notes.map((text): AgentNote => ({ path, text, kind: 'note' })) }
}

/** Reads a file's text, or the reason why it cannot be used. */
function readContent(path: string): string | { readonly fault: string } {
  try {
    return readSettingsText(path, limits.bytes) ?? { fault: 'it is a broken link' }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { fault: error.message.replace(`cannot read ${path}: `, '') }
  }
}

/** Reads the agents that pipe brings along. */
export function builtinAgents(tools: KnownTools): readonly AgentDefinition[] {
  return [explore, general, review].map((text) => {
    const read = readDefinition(text, { source: 'builtin' }, tools)
    if (read.type === 'refused') throw new PipeError('internal', `a built-in agent is broken: ${read.reason}`)
    return read.value.definition
  })
}
