import { join } from 'node:path'
import { lookThrough } from '../files/look.ts'
import type { Plugin } from '../machine/plugin.ts'
import type { FindTool } from './agents/agent-field.ts'
import { readEnvironment } from './environment.ts'
import type { GivenParts } from './given-parts.ts'
import { mergeSettings } from './merge-settings.ts'
import { builtinServers } from './models/servers.ts'
import { type PeerLimits, withoutBypass } from './peer/peer-limits.ts'
import { type PeerSettings, readPeerSettings } from './peer/peer-settings.ts'
import { type OwnSettings, restrict, spellingOf } from './project-settings.ts'
import { readSettings, requirePermissions } from './settings.ts'
import { readJsonWithComments } from './settings-document.ts'
import type { Settings } from './settings-schema.ts'
import type { FolderTrust } from './trust/folder-trust.ts'
import { findRoot } from './trust/project-root.ts'
import { contentHash } from './trust/trust.ts'

/** Origin of settings: a file by its path, a variable, a flag or a built-in agent by its name. */
export interface SettingsSource {
  readonly type: 'user' | 'project' | 'local' | 'environment' | 'flag' | 'agent'
  readonly name: string
}

export interface Layer {
  readonly source: SettingsSource
  readonly settings: Settings
}

export interface LayeredSettings {
  /** All layers merged. */
  readonly settings: Settings
  /** From the weakest to the strongest: the user's file, the project's two, the environment, the flags. */
  readonly layers: readonly Layer[]
  /** Unapproved allow rules of the project's files, one layer per file. They are not in `layers`. */
  readonly proposed: readonly Layer[]
  readonly trust: FolderTrust
  /** The plugins that are on. Default: none. */
  readonly plugins?: readonly Plugin[]
  /** The parts that the command line brings besides settings. Default: none. */
  readonly given?: GivenParts
  /** Ignored or invalid settings in project files, one line each. */
  readonly warnings: readonly string[]
  /** Rules that were taken from another agent's settings, and what of those has no effect, a line a file. */
  readonly peer: Pick<PeerSettings, 'taken' | 'ignored' | 'folders' | 'wishes' | keyof PeerLimits>
}

export interface LayerOptions {
  /** The user's config folder. */
  readonly config: string
  /** A real path. */
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The strongest layers. */
  readonly flags: readonly Layer[]
  readonly trust: FolderTrust
  /** Finds our tool of a name in another agent's rules. */
  readonly findTool: FindTool
  /** Says why no project gets this folder besides its own, a real path. */
  readonly folderFault: (path: string) => string | undefined
}

/**
 * Loads the settings of a run. Project files can only tighten permissions, except for approved rules; other fields cause warnings.
 * Throws `config` for an invalid environment, an unreadable file, or invalid permissions, because these would forbid nothing.
 */
export async function loadSettings(options: LayerOptions): Promise<LayeredSettings> {
  const { config, cwd, env, flags, trust, home, findTool, folderFault } = options
  const path = join(config, 'config.json')
  const user = await readSettings(path)
  const root = findRoot(cwd, ['.git', '.pipe'])
  const own: OwnSettings = {
    mode: user.permissions?.mode ?? 'default',
    providers: [...builtinServers.map(({ name }) => name), ...Object.keys(user.providers ?? {})],
    approves: (rules) => trust.approved('permissions.allow', contentHash(rules.map(spellingOf))) === true,
  }
  const project = await readProject(join(root, '.pipe'), config, own)
  const peer = await readPeerSettings({
    ...own,
    root,
    cwd,
    home,
    findTool,
    folderFault,
    decided: ({ kind, hash }) => trust.approved(kind, hash),
  })
  const wanted: readonly Layer[] = [
    ...peer.own,
    { source: { type: 'user', name: path }, settings: user },
    ...peer.project,
    ...project.layers,
    ...readEnvironment(env),
    ...flags,
  ]
  const limit = withoutBypass(mergeLayers(wanted).permissions?.mode, peer)
  const layers = limit === undefined ? wanted : [...wanted, limit]
  return {
    settings: mergeLayers(layers),
    layers,
    proposed: [...peer.proposed, ...project.proposed],
    trust,
    warnings: [
      ...peer.warnings,
      ...project.warnings,
      ...(limit === undefined ? [] : [`${limit.source.name} forbids the mode bypass: the mode is default`]),
    ],
    peer,
  }
}

/** Adds a layer that is stronger than all others. */
export function withLayer(loaded: LayeredSettings, layer: Layer): LayeredSettings {
  return {
    ...loaded,
    settings: mergeSettings(loaded.settings, layer.settings),
    layers: [...loaded.layers, layer],
  }
}

/** Finds the strongest layer that has the setting that `read` picks; `undefined` if none has it. */
export function sourceOf(
  layers: readonly Layer[],
  read: (settings: Settings) => unknown,
): SettingsSource | undefined {
  return layers.findLast(({ settings }) => read(settings) !== undefined)?.source
}

/** Merges the settings of all layers. */
export function mergeLayers(layers: readonly Layer[]): Settings {
  return layers.map(({ settings }) => settings).reduce(mergeSettings, {})
}

const projectFiles = [
  { type: 'project', file: 'config.json' },
  { type: 'local', file: 'config.local.json' },
] as const

async function readProject(folder: string, config: string, own: OwnSettings) {
  const layers: Layer[] = []
  const proposed: Layer[] = []
  const warnings: string[] = []
  // The home folder may be the project, with the user's own settings in this folder.
  if (isSame(folder, config)) return { layers, proposed, warnings }
  for (const { type, file } of projectFiles) {
    const source: SettingsSource = { type, name: join(folder, file) }
    const found = await readProjectFile(source.name, own)
    layers.push({ source, settings: found.settings })
    if (found.proposed.length > 0)
      proposed.push({ source, settings: { permissions: { allow: [...found.proposed] } } })
    warnings.push(...found.warnings)
  }
  return { layers, proposed, warnings }
}

async function readProjectFile(path: string, own: OwnSettings) {
  const document = await readJsonWithComments(path)
  if (document === undefined) return { settings: {}, proposed: [], warnings: [] }
  await requirePermissions(document, path)
  const { settings, proposed, refusals } = restrict(document, own)
  return { settings, proposed, warnings: refusals.map((refusal) => `${path}: ${refusal}`) }
}

function isSame(folder: string, other: string): boolean {
  const [a, b] = [lookThrough(folder), lookThrough(other)]
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}
