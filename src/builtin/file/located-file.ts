import { join, relative } from 'node:path'
import { PipeError } from '../../error.ts'
import { resolvePath } from '../../machine/path.ts'
import type { ToolContext } from '../../tool.ts'
import { displayPath, type Workspace } from '../workspace.ts'

/** The file that a call refers to. */
export interface LocatedFile {
  /** Absolute, as the model named it. */
  readonly path: string
  /** The path with symlinks resolved: reads and writes use it even if the named path is swapped meanwhile. */
  readonly real: string
  /** The name in results. */
  readonly shown: string
}

/** Resolves a path, the one at `place` of those that the tool states. Throws `invalid` if it no longer leads to the judged file. */
export async function locate(
  workspace: Workspace,
  named: string,
  { signal, judgedPaths }: Pick<ToolContext, 'signal' | 'judgedPaths'>,
  place = 0,
): Promise<LocatedFile> {
  const path = resolvePath(named, workspace)
  const shown = displayPath(workspace, path)
  const real = await workspace.artifacts.realPath(path, { signal })
  if (judgedPaths !== undefined && judgedPaths[place] !== real) {
    throw new PipeError('invalid', `${shown} no longer leads to the file that was judged; try again`, {
      details: { path, reason: 'exchanged' },
    })
  }
  return { path, real, shown }
}

/** Maps a path below the real place to the same path below the named one. */
export function pathAsNamed(path: string, { path: named, real }: LocatedFile): string {
  return named === real ? path : join(named, relative(real, path))
}
