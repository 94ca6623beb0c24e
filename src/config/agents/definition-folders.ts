import { join } from 'node:path'
import type { AgentSource } from '../../actor.ts'
import { followed } from '../../files/real-path.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { peerFolder } from './peer-agents.ts'

/** A folder with files of agents. */
export interface AgentFolder {
  readonly path: string
  readonly source: Exclude<AgentSource, 'builtin'>
  /** The project it belongs to, whose files need the user's approval. Absent for the user's own folder. */
  readonly project?: Pick<FolderTrust, 'root' | 'approved'>
}

/** Lists the folders of agents for a run, strongest first. */
export function agentFolders(
  config: string,
  { root, approved }: Pick<FolderTrust, 'root' | 'approved'>,
): readonly AgentFolder[] {
  const user: AgentFolder = { path: join(config, 'agents'), source: 'user' }
  const project = { root, approved }
  const projects: readonly AgentFolder[] = [
    { path: join(root, '.pipe', 'agents'), source: 'project', project },
    { path: join(root, peerFolder), source: 'peer', project },
  ]
  // With the home folder as the project, the user's own folder may be one of them.
  return [...projects.filter(({ path }) => followed(path) !== followed(user.path)), user]
}
