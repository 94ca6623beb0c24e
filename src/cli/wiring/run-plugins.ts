import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { isPipeError } from '../../error.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { hasPluginRecord } from '../../plugins/record-place.ts'
import { visibleLine } from '../../terminal/visible.ts'

/** The plugins of a run, and what the user is told about those that do not count. */
export interface OpenedPlugins {
  readonly plugins: readonly Plugin[]
  readonly warnings: readonly string[]
}

/** Lists the secrets that the user has set of plugins, which no log may hold. A record that cannot be read is reported elsewhere. */
export async function pluginSecrets(folder: string): Promise<readonly string[]> {
  // Most plugins ask for nothing, and nothing is read for them.
  if (!existsSync(join(folder, 'options'))) return []
  const { readEnabled } = await import('../../plugins/enabled-plugins.ts')
  try {
    return readEnabled(folder).plugins.flatMap(({ options }) =>
      (options?.secret ?? []).flatMap((key) => options?.values[key] ?? []),
    )
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'config') throw error
    return []
  }
}

/** Reads the plugins that are on. Loads nothing where none was ever added. */
export async function openPlugins(
  folder: string,
  settings: Pick<Settings, 'plugins'>,
): Promise<OpenedPlugins> {
  if (settings.plugins === false || !hasPluginRecord(folder)) return { plugins: [], warnings: [] }
  const { readEnabled } = await import('../../plugins/enabled-plugins.ts')
  try {
    const { plugins, faults } = readEnabled(folder)
    const warnings = faults.map(({ name, reason }) =>
      visibleLine(`the plugin ${name} is off: ${reason}; pipe plugin enable ${name} shows and approves it`),
    )
    return { plugins, warnings }
  } catch (error) {
    // A run goes on without plugins.
    if (!isPipeError(error) || error.code !== 'config') throw error
    return { plugins: [], warnings: [visibleLine(`no plugin counts: ${error.message}`)] }
  }
}
