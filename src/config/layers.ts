import { join } from 'node:path'
import { readDocument } from './document.ts'
import { readEnvironment } from './environment.ts'
import type { FolderTrust } from './folder-trust.ts'
import { merge } from './merge.ts'
import { type OwnSettings, restrict, spellingOf } from './project.ts'
import { findRoot, look } from './project-root.ts'
import type { Settings } from './schema.ts'
import { builtinServers } from './servers.ts'
import { readSettings, requirePermissions } from './settings.ts'
import { contentHash } from './trust.ts'

/** Where settings come from: a file by its path, a variable or a flag by its name. */
export interface Source {
  readonly type: 'user' | 'project' | 'local' | 'environment' | 'flag'
  readonly name: string
}

export interface Layer {
  readonly source: Source
  readonly settings: Settings
}

export interface LayeredSettings {
  /** All layers as one. */
  readonly settings: Settings
  /** From the weakest to the strongest. */
  readonly layers: readonly Layer[]
  /** What the project's files would allow and nobody has approved: rules, a layer a file. They are not in `layers`. */
  readonly proposed: readonly Layer[]
  readonly trust: FolderTrust
  /** What a project's files say and may not, or say wrongly, a line each. */
  readonly warnings: readonly string[]
}

export interface LayerOptions {
  /** The user's folder of settings. */
  readonly config: string
  /** A real path. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The strongest layers. */
  readonly flags: readonly Layer[]
  readonly trust: FolderTrust
}

/**
 * The settings of a run: the user's file, then `.pipe/config.json` and `.pipe/config.local.json` of the project, then the
 * environment, then the flags; later wins. The project is the nearest folder upwards with `.git` or `.pipe`, else `cwd`; its files
 * can only tighten, but for rules that the user approved, and what they may not say is a warning. Throws `config` for the environment
 * and a file that cannot be read, or of which the permissions cannot: what they forbid would be allowed.
 */
export async function loadSettings(options: LayerOptions): Promise<LayeredSettings> {
  const { config, cwd, env, flags, trust } = options
  const path = join(config, 'config.json')
  const user = await readSettings(path)
  const project = await readProject(join(findRoot(cwd, ['.git', '.pipe']), '.pipe'), config, {
    mode: user.permissions?.mode ?? 'default',
    providers: [...builtinServers.map(({ name }) => name), ...Object.keys(user.providers ?? {})],
    approves: (rules) => trust.approved('permissions.allow', contentHash(rules.map(spellingOf))) === true,
  })
  const layers: readonly Layer[] = [
    { source: { type: 'user', name: path }, settings: user },
    ...project.layers,
    ...readEnvironment(env),
    ...flags,
  ]
  const { proposed, warnings } = project
  return { settings: mergeAll(layers), layers, proposed, trust, warnings }
}

/** Where the setting that `read` picks comes from; `undefined` where no layer has it. */
export function sourceOf(
  layers: readonly Layer[],
  read: (settings: Settings) => unknown,
): Source | undefined {
  return layers.findLast(({ settings }) => read(settings) !== undefined)?.source
}

function mergeAll(layers: readonly Layer[]): Settings {
  return layers.map(({ settings }) => settings).reduce(merge, {})
}

const projectFiles = [
  { type: 'project', file: 'config.json' },
  { type: 'local', file: 'config.local.json' },
] as const

async function readProject(folder: string, config: string, own: OwnSettings) {
  const layers: Layer[] = []
  const proposed: Layer[] = []
  const warnings: string[] = []
  // A home folder may be the project and hold the user's own settings under this very name.
  if (isSame(folder, config)) return { layers, proposed, warnings }
  for (const { type, file } of projectFiles) {
    const source: Source = { type, name: join(folder, file) }
    const found = await readProjectFile(source.name, own)
    layers.push({ source, settings: found.settings })
    if (found.proposed.length > 0)
      proposed.push({ source, settings: { permissions: { allow: [...found.proposed] } } })
    warnings.push(...found.warnings)
  }
  return { layers, proposed, warnings }
}

async function readProjectFile(path: string, own: OwnSettings) {
  const document = await readDocument(path)
  if (document === undefined) return { settings: {}, proposed: [], warnings: [] }
  await requirePermissions(document, path)
  const { settings, proposed, refusals } = restrict(document, own)
  return { settings, proposed, warnings: refusals.map((refusal) => `${path}: ${refusal}`) }
}

function isSame(folder: string, other: string): boolean {
  const [a, b] = [look(folder), look(other)]
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}
