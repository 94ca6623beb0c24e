import { resolvePath } from '../../path.ts'
import { displayPath, type Workspace } from '../workspace.ts'

/** A file that a call is about. */
export interface Place {
  /** Absolute, as the model named it. */
  readonly path: string
  /** Where that leads once symlinks are followed: what is written, however the path is exchanged meanwhile. */
  readonly real: string
  /** As results name it. */
  readonly shown: string
}

export async function locate(workspace: Workspace, named: string, signal: AbortSignal): Promise<Place> {
  const path = resolvePath(named, workspace)
  const real = await workspace.artifacts.realPath(path, { signal })
  return { path, real, shown: displayPath(workspace, path) }
}
