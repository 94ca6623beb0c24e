import type { Directories } from '../../../config/directories.ts'
import { hasPluginRecord } from '../../../plugins/record-place.ts'
import type { RunContext } from '../../run-context.ts'
import { wishesOf } from '../plugin/plugin-list.ts'
import { broken, type Checkup } from './checkup.ts'

const name = 'plugins'

/** Checks the plugins that are on, and names those that the project asks for. */
export async function checkPlugins(
  context: Pick<RunContext, 'host'>,
  { plugins: folder }: Pick<Directories, 'plugins'>,
): Promise<readonly Checkup[]> {
  const wishes = (await wishesOf(context)).map((text): Checkup => ({ name, state: 'missing', text }))
  return [...(hasPluginRecord(folder) ? await checkRecord(folder) : []), ...wishes]
}

async function checkRecord(folder: string): Promise<readonly Checkup[]> {
  try {
    const { readEnabled } = await import('../../../plugins/enabled-plugins.ts')
    const { plugins, faults } = readEnabled(folder)
    const names = plugins.map((plugin) => plugin.name)
    const known: readonly Checkup[] =
      names.length === 0 ? [] : [{ name, state: 'ok', text: names.join(', ') }]
    const off = faults.map(({ name: plugin, reason }): Checkup => {
      return {
        name,
        state: 'missing',
        text: `${plugin} is off: ${reason}`,
        remedy: `pipe plugin enable ${plugin}`,
      }
    })
    return [...known, ...off]
  } catch (error) {
    return [broken(name, error)]
  }
}
