import { findDirectories } from '../../../config/directories.ts'
import { type FoundHookFiles, findHookFiles } from '../../../config/hooks/hook-files.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import type { Machine } from '../../machine.ts'

/** Says that hooks of a project do not run. */
export const hooksNotApproved = 'hooks of this project are not approved: run pipe trust'

/** Finds the hooks of a run with these settings. Leaves out the faults that were told already. */
export function hooksOfRun(
  { env, home }: Pick<Machine, 'env' | 'home'>,
  { trust, settings, plugins, given }: LayeredSettings,
  told: readonly string[] = [],
): Promise<FoundHookFiles> {
  const { config } = findDirectories(env, home)
  return findHookFiles({ config, trust, own: settings.hooks, plugins, given, told })
}
