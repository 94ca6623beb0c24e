import { join } from 'node:path'
import { entryNames } from '../../files/look.ts'
import type { Shadow } from '../shadow.ts'

/** Git collects garbage above these counts. */
const most = { loose: 6_700, packs: 50 }

/** Starts git's collection of garbage where there is enough of it. Returns at once: git continues in the background. */
export async function collectGarbage(shadow: Shadow): Promise<void> {
  if (!hasEnough(shadow)) return
  await shadow.git(['gc', '--auto', '--quiet'], {
    settings: [`gc.auto=${most.loose}`, `gc.autoPackLimit=${most.packs}`, 'gc.pruneExpire=1.day'],
  })
}

/** Whether git would begin. As git does, takes one of the 256 folders of loose objects for all of them. */
function hasEnough({ path }: Shadow): boolean {
  const names = (folder: string) => entryNames(join(path, 'objects', folder))
  const packs = names('pack').filter((name) => name.endsWith('.pack'))
  return names('17').length > Math.ceil(most.loose / 256) || packs.length > most.packs
}
