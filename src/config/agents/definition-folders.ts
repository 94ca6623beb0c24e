import { basename, dirname, join } from 'node:path'
import type { AgentSource } from '../../actor.ts'
import { followed } from '../../files/real-path.ts'
import type { Plugin } from '../../machine/plugin.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { peerFolders } from './peer-agents.ts'

/** A folder with files of agents. */
export interface AgentFolder {
  readonly path: string
  readonly source: Exclude<AgentSource, 'builtin'>
  /** The project it belongs to, whose files need the user's approval. Absent for the user's own folder. */
  readonly project?: Pick<FolderTrust, 'root' | 'approved'>
  /** The plugin that brings it. */
  readonly plugin?: Plugin
  /** The only file of the folder that counts. Default: all. */
  readonly only?: string
}

/** The folders of the user. */
export interface AgentPlaces {
  /** The user's config folder. */
  readonly config: string
  readonly home: string
}

const own = '.pipe/agents'

/** Lists the folders of agents for a run, strongest first: those of the project, then the user's. */
export function agentFolders(
  { config, home }: AgentPlaces,
  { root, folders = [root], approved }: Pick<FolderTrust, 'root' | 'folders' | 'approved'>,
  plugins: readonly Plugin[] = [],
): readonly AgentFolder[] {
  const users = [join(config, 'agents'), ...[own, ...peerFolders].map((name) => join(home, name))]
  const isUsers = new Set(users.map(followed))
  const project = { root, approved }
  const projects = folders.flatMap((folder): readonly AgentFolder[] => [
    { path: join(folder, own), source: 'project', project },
    ...peerFolders.map((name): AgentFolder => ({ path: join(folder, name), source: 'peer', project })),
  ])
  return [
    // With the home folder as the project, the user's own folders are some of them.
    ...projects.filter(({ path }) => !isUsers.has(followed(path))),
    ...users.map((path): AgentFolder => ({ path, source: 'user' })),
    ...plugins.flatMap(pluginAgentFolders),
  ]
}

/** The folders of the agents of a plugin. They are written for another program, whose words they use. */
export function pluginAgentFolders(plugin: Plugin): readonly AgentFolder[] {
  const of = { source: 'peer', plugin } as const
  return plugin.agents.map((path) =>
    path.endsWith('.md') ? { ...of, path: dirname(path), only: basename(path) } : { ...of, path },
  )
}
