import { join } from 'node:path'
import type { Workspace } from '../workspace.ts'
import type { Place } from './place.ts'

/** Of names in a folder those that may be shown, wherever a denial names them: where the folder was named, or where it leads. */
export function readableNames(
  { mayRead = () => true }: Workspace,
  { path, real }: Pick<Place, 'path' | 'real'>,
  names: readonly string[],
): readonly string[] {
  return names.filter((name) => {
    const own = name.replace(/\/$/, '')
    return mayRead(join(path, own)) && mayRead(join(real, own))
  })
}
