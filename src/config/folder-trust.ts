import { join } from 'node:path'
import { findRoot, holds, look } from './project-root.ts'
import { type ContentKind, readTrustFile } from './trust.ts'

/** How far the folder of a run is trusted. */
export interface FolderTrust {
  /** What trust is bound to: the project's root, a real path. */
  readonly root: string
  /** `undefined` where nobody has said. */
  readonly trusted: boolean | undefined
  /** Whether a content of the project was approved; `undefined` where nobody has said. Never true where the folder is not trusted. */
  approved(kind: ContentKind, hash: string): boolean | undefined
}

export interface FolderTrustOptions {
  /** The user's folder of settings. */
  readonly config: string
  /** A real path. */
  readonly cwd: string
  readonly home: string
  /** The folder is trusted for this run, whatever is kept. It approves no content: nobody has seen it. */
  readonly forThisRun: boolean
}

/** Reads what is kept of the project that `cwd` belongs to. Throws `config` as `readTrustFile`. */
export async function openFolderTrust(
  options: FolderTrustOptions,
): Promise<FolderTrust & { readonly warnings: readonly string[] }> {
  const root = trustRoot(options.cwd, options.home)
  const { folders, warnings } = await readTrustFile(options.config)
  const record = folders.get(root)
  const trusted = options.forThisRun ? true : record?.trusted
  const approved = (kind: ContentKind, hash: string) => {
    if (trusted !== true) return trusted
    return record?.contents.find((one) => one.kind === kind && one.hash === hash)?.approved
  }
  return { root, trusted, approved, warnings }
}

/**
 * The folder that trust is bound to: the nearest upwards with `.git` or `.pipe`, else `cwd`. The home folder is never taken for the
 * project of what lies below it: a folder that was unpacked there would be trusted with it.
 */
export function trustRoot(cwd: string, home: string): string {
  const root = findRoot(cwd, ['.git', '.pipe'])
  return holds(root, home) ? cwd : root
}

/** Whether a folder holds anything that trust makes a difference to. */
export function isProject(root: string): boolean {
  return ['.git', '.pipe', '.mcp.json'].some((name) => look(join(root, name)) !== undefined)
}
