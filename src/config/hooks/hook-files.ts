import { join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { followed } from '../../files/real-path.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'
import type { Plugin } from '../../machine/plugin.ts'
import type { GivenParts } from '../given-parts.ts'
import type { Settings } from '../settings.ts'
import { readJsonWithComments } from '../settings-document.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { contentHash } from '../trust/trust.ts'

/** The hooks of one file, as they are written there. */
export interface HookFile {
  readonly path: string
  /** `peer`: another agent's settings of the project. */
  readonly origin: 'user' | 'project' | 'local' | 'peer' | 'plugin'
  /** The value of its field `hooks`. */
  readonly hooks: unknown
  /** Binds the user's approval to what the file holds. Absent for the user's own file, which needs none. */
  readonly hash?: string
  readonly isApproved: boolean
  /** The plugin that brings it. */
  readonly plugin?: Plugin
}

export interface FoundHookFiles {
  readonly files: readonly HookFile[]
  /** Why a file could not be read, a sentence each. */
  readonly warnings: readonly string[]
}

export interface HookPlaces {
  /** The user's config folder. */
  readonly config: string
  readonly trust: Pick<FolderTrust, 'root' | 'approved'>
  /** The hooks of the user's own settings. */
  readonly own: Settings['hooks']
  /** The plugins that are on. Default: none. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Hooks that the command line brings, and whether others count. Default: none, and yes. */
  readonly given?: Pick<GivenParts, 'hooks' | 'noHooks' | 'isBare'> | undefined
  /** Warnings that the user got, such as of a file that holds settings too. They are not repeated. Default: none. */
  readonly told?: readonly string[] | undefined
}

const projectFiles = [
  { origin: 'project', path: '.pipe/config.json' },
  { origin: 'local', path: '.pipe/config.local.json' },
  { origin: 'peer', path: '.claude/settings.json' },
  { origin: 'peer', path: '.claude/settings.local.json' },
  { origin: 'peer', path: '.codex/hooks.json' },
] as const

/** Finds the files with hooks: the user's, then those of the project, which count once the user approved what they hold now. */
export async function findHookFiles({
  config,
  trust,
  own,
  plugins = [],
  told = [],
  given,
}: HookPlaces): Promise<FoundHookFiles> {
  const typed = given?.hooks ?? []
  if (given?.noHooks === true) return { files: [], warnings: [] }
  const ofPlugins = plugins.flatMap((plugin) =>
    plugin.hooks.map((file): HookFile => ({ ...file, origin: 'plugin', isApproved: true, plugin })),
  )
  if (given?.isBare === true) return { files: [...ofPlugins, ...typed], warnings: [] }
  const userFile = join(config, 'config.json')
  const files: HookFile[] = []
  const warnings: string[] = []
  if (own !== undefined) files.push({ path: userFile, origin: 'user', hooks: own, isApproved: true })
  for (const { origin, path: name } of projectFiles) {
    const path = join(trust.root, name)
    // The home folder may be the project, with the user's own settings in it.
    if (followed(path) === followed(userFile)) continue
    try {
      const hooks = await hooksIn(path)
      if (hooks === undefined) continue
      const hash = contentHash(hooks)
      files.push({ path, origin, hooks, hash, isApproved: trust.approved('hooks', hash) === true })
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (!told.some((one) => one.startsWith(error.message))) warnings.push(error.message)
    }
  }
  return { files: [...files, ...ofPlugins, ...typed], warnings }
}

async function hooksIn(path: string): Promise<JsonValue | undefined> {
  const document = await readJsonWithComments(path)
  if (!isJsonObject(document) || document['disableAllHooks'] === true) return undefined
  const { hooks } = document
  return isJsonObject(hooks) && Object.keys(hooks).length === 0 ? undefined : hooks
}
