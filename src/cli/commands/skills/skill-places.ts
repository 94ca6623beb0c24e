import { findDirectories } from '../../../config/directories.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import { type SkillPlaces, skillFolders } from '../../../config/skills/skill-folders.ts'
import { lookThrough } from '../../../files/look.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readOwnSettings } from '../../choices.ts'
import type { Machine } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'

/** Says that skills of a project do not count. */
const waiting = 'the skills of this project take effect once you trust it: run pipe trust'

/** Finds the places of skills of a folder, as a run there would. Says on stderr if those of the project do not count. Throws `config`. */
export async function findSkillPlaces({ host, flags }: RunContext): Promise<SkillPlaces> {
  const { places, notice } = skillPlacesOf(host, await openSettings(host, readOwnSettings(flags)))
  if (notice !== undefined) printWarning(host, notice)
  return places
}

/** Returns the places of skills of a folder; `notice` says that those of the project do not count. */
export function skillPlacesOf(
  { env, home }: Pick<Machine, 'env' | 'home'>,
  { trust, plugins }: Pick<LayeredSettings, 'trust' | 'plugins'>,
): { readonly places: SkillPlaces; readonly notice: string | undefined } {
  const places = { ...trust, config: findDirectories(env, home).config, home, plugins }
  const project = skillFolders({ ...places, trusted: true }).filter(({ source }) => source === 'project')
  const isWaiting = trust.trusted !== true && project.some(({ path }) => lookThrough(path) !== undefined)
  return { places, notice: isWaiting ? waiting : undefined }
}
