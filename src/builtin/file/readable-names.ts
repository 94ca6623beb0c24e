import { join } from 'node:path'
import type { Workspace } from '../workspace.ts'
import type { LocatedFile } from './located-file.ts'

/** The names in a folder that may be shown. Checks the folder as given and its target, because a rule may forbid either. */
export function readableNames(
  { mayRead = () => true }: Workspace,
  { path, real }: Pick<LocatedFile, 'path' | 'real'>,
  names: readonly string[],
): readonly string[] {
  return names.filter((name) => {
    const own = name.replace(/\/$/, '')
    return mayRead(join(path, own)) && mayRead(join(real, own))
  })
}
