import { join } from 'node:path'
import type { Workspace } from '../workspace.ts'
import type { LocatedFile } from './located-file.ts'

/** The names in a folder that may be shown. A denial may name the folder as given or its target, so it checks both. */
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
