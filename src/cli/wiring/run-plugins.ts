import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { hasCode } from '../../error.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { hasPluginRecord } from '../../plugins/record-place.ts'
import { visibleLine } from '../../terminal/visible.ts'
import type { GivenPlugin } from './run-choices.ts'

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
    if (!hasCode(error, 'config')) throw error
    return []
  }
}

/** Reads the plugins that are on, and the folders that the command line names. Loads nothing where there are none. Throws `config`, `input`. */
export async function openPlugins(
  folder: string,
  settings: Pick<Settings, 'plugins'>,
  given: readonly GivenPlugin[] = [],
): Promise<OpenedPlugins> {
  const added = await openAdded(folder, settings)
  if (given.length === 0) return added
  const typed = (await import('./given/given-plugins.ts')).readGivenPlugins(given, folder)
  const names = new Set(typed.plugins.map(({ name }) => name))
  return {
    plugins: [...typed.plugins, ...added.plugins.filter(({ name }) => !names.has(name))],
    warnings: [...added.warnings, ...typed.warnings],
  }
}

async function openAdded(folder: string, settings: Pick<Settings, 'plugins'>): Promise<OpenedPlugins> {
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
    if (!hasCode(error, 'config')) throw error
    return { plugins: [], warnings: [visibleLine(`no plugins are used: ${error.message}`)] }
  }
}
