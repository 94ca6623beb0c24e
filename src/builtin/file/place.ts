import { join, relative } from 'node:path'
import { PipeError } from '../../error.ts'
import { resolvePath } from '../../path.ts'
import type { ToolContext } from '../../tool.ts'
import { displayPath, type Workspace } from '../workspace.ts'

/** A file that a call is about. */
export interface Place {
  /** Absolute, as the model named it. */
  readonly path: string
  /** Where that leads once symlinks are followed: what is read and written, however the path is exchanged meanwhile. */
  readonly real: string
  /** As results name it. */
  readonly shown: string
}

/** The place that a path names. Throws `invalid` where that is not the one that was judged. */
export async function locate(
  workspace: Workspace,
  named: string,
  { signal, judgedPath }: Pick<ToolContext, 'signal' | 'judgedPath'>,
): Promise<Place> {
  const path = resolvePath(named, workspace)
  const shown = displayPath(workspace, path)
  const real = await workspace.artifacts.realPath(path, { signal })
  if (judgedPath !== undefined && judgedPath !== real) {
    throw new PipeError('invalid', `${shown} leads elsewhere than when it was judged; try again`, {
      details: { path, reason: 'exchanged' },
    })
  }
  return { path, real, shown }
}

/** Maps a path below the real place to the same path below the named one. */
export function pathAsNamed(path: string, { path: named, real }: Place): string {
  return named === real ? path : join(named, relative(real, path))
}
