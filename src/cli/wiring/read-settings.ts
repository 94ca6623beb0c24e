import { findDirectories } from '../../config/directories.ts'
import { type Layer, type LayeredSettings, loadSettings, sourceOf } from '../../config/layers.ts'
import { openFolderTrust } from '../../config/trust/folder-trust.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Session } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { folderFault } from './folder-fault.ts'
import type { RunSettings } from './run-choices.ts'
import { openPlugins } from './run-plugins.ts'
import { findToolName } from './tools/known-tools.ts'

/** Reads the settings of this run from all layers. Reports faults of project files. Throws `config`. */
export async function openSettings(machine: Machine, own: RunSettings): Promise<LayeredSettings> {
  const loaded = await readAllSettings(machine, own)
  for (const warning of loaded.warnings) machine.warn(warning)
  return loaded
}

/** Reads the same without reporting. */
export async function readAllSettings(
  { cwd, env, home }: Pick<Machine, 'cwd' | 'env' | 'home'>,
  { layers, trusts, given }: RunSettings,
): Promise<LayeredSettings> {
  const brought = given && (await (await import('./given/read-given.ts')).readGiven(given))
  const { config, plugins: folder } = findDirectories(env, home)
  const { warnings, ...trust } = await openFolderTrust({ config, cwd, home, forThisRun: trusts })
  const loaded = await loadSettings({
    config,
    cwd,
    env,
    home,
    flags: [...(brought?.layers ?? []), ...layers],
    trust,
    findTool: findToolName,
    folderFault: (path) => folderFault(path, { env, home }),
  })
  const { plugins, warnings: faults } = await openPlugins(folder, loaded.settings, given?.plugins)
  return {
    ...loaded,
    plugins,
    ...omitUndefined({ given: brought?.parts }),
    warnings: [...warnings, ...loaded.warnings, ...(brought?.warnings ?? []), ...faults],
  }
}

/** Names the file or variable that sets the model in errors about it, because the user may not know. */
export function nameModelSource(
  layers: readonly Layer[],
  session: Session | undefined,
): (error: unknown) => never {
  return (error) => {
    const source = session === undefined ? sourceOf(layers, ({ model }) => model) : undefined
    if (!isPipeError(error) || source === undefined || source.type === 'flag') throw error
    const { code, message, details } = error
    throw new PipeError(code, `${message} (${source.name} sets the model)`, { cause: error, details })
  }
}
