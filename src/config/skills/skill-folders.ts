import { basename, dirname, join } from 'node:path'
import { followed } from '../../files/real-path.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { peerSkills } from '../agents/peer-agents.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import type { Skill } from './skill.ts'

/** A folder of skills or commands. */
export interface InstructionFolder {
  readonly path: string
  readonly source: Skill['source']
  /** The project, or plugin, that its files must not lead out of. Absent for the user's own folders. */
  readonly root?: string
  /** The plugin that brings it. */
  readonly plugin?: Plugin
  /** The project that the files are used in. Absent where they are only listed. */
  readonly project?: string
  /** The only file of the folder that counts. Default: all. */
  readonly only?: string
}

/** The folders of the user, and a project whose files count if it is trusted. */
export interface SkillPlaces extends Pick<FolderTrust, 'root' | 'folders' | 'trusted'> {
  /** The user's config folder. */
  readonly config: string
  readonly home: string
  /** The plugins that are on. Default: none. */
  readonly plugins?: readonly Plugin[] | undefined
  /** No other folders count than those of the plugins. Default: all. */
  readonly onlyPlugins?: boolean | undefined
}

const names = ['.pipe/skills', '.agents/skills', peerSkills]

/** Lists the folders of skills for a run, strongest first: those of a trusted project, then the user's. */
export function skillFolders(places: SkillPlaces): readonly InstructionFolder[] {
  const { config, home, root } = places
  const own = [join(config, 'skills'), ...names.map((name) => join(home, name))]
  const bring = (plugin: Plugin) =>
    plugin.skills.map((path) => ({ ...folderOfPlugin(path, plugin), project: root }))
  return [...strongestFirst(names, own, places), ...(places.plugins ?? []).flatMap(bring)]
}

/** Describes a folder of a plugin, or a file of one. */
export function folderOfPlugin(path: string, plugin: Plugin): InstructionFolder {
  const of = { source: 'plugin', root: plugin.root, plugin } as const
  return path.endsWith('.md') ? { ...of, path: dirname(path), only: basename(path) } : { ...of, path }
}

/** Joins the folders of a trusted project, those nearest to the run first, with the user's. One that is both is the user's. */
export function strongestFirst(
  ofProject: readonly string[],
  ofUser: readonly string[],
  { root, folders = [root], trusted, onlyPlugins }: SkillPlaces,
): readonly InstructionFolder[] {
  if (onlyPlugins === true) return []
  const owned = new Set(ofUser.map(followed))
  const project = folders.flatMap((folder) =>
    ofProject.map(
      (name): InstructionFolder => ({ path: join(folder, name), source: 'project', root, project: root }),
    ),
  )
  const user = ofUser.map((path): InstructionFolder => ({ path, source: 'user', project: root }))
  return [...(trusted === true ? project.filter(({ path }) => !owned.has(followed(path))) : []), ...user]
}
