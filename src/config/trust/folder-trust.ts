import { join, relative } from 'node:path'
import { lookThrough } from '../../files/look.ts'
import { mainRoot } from './main-root.ts'
import { findRoot, holds } from './project-root.ts'
import { type ContentKind, readTrustFile } from './trust.ts'

/** Trust in the folder of a run. */
export interface FolderTrust {
  /** The real path of the project's root. */
  readonly root: string
  /** The folder of the run and those above it up to the root, whose skills, commands and agents count. Default: the root. */
  readonly folders?: readonly string[]
  /** The folder that the worktrees of one repository share, see `mainRoot`. Elsewhere it is `root`. */
  readonly shared: string
  /** The folder that a decision is bound to: `shared`, or `root` if the user has decided on this worktree alone. */
  readonly decided: string
  /** The user's decision. `undefined` if there is none. */
  readonly trusted: boolean | undefined
  /** Whether the user approved this content; `undefined` without a decision. Never true in an untrusted folder. */
  approved(kind: ContentKind, hash: string): boolean | undefined
}

export interface FolderTrustOptions {
  /** The user's config folder. */
  readonly config: string
  /** A real path. */
  readonly cwd: string
  readonly home: string
  /** Trusts the folder for this run only. Approves no contents: the user has not seen them. */
  readonly forThisRun: boolean
}

/** Reads the stored trust of the project that contains `cwd`. Throws like `readTrustFile`. */
export async function openFolderTrust(
  options: FolderTrustOptions,
): Promise<FolderTrust & { readonly warnings: readonly string[] }> {
  const root = trustRoot(options.cwd, options.home)
  const { folders: known, warnings } = await readTrustFile(options.config)
  const shared = mainRoot(root, options.home)
  const decided = known.has(root) ? root : shared
  const record = known.get(decided)
  const trusted = options.forThisRun ? true : record?.trusted
  const approved = (kind: ContentKind, hash: string) => {
    if (trusted !== true) return trusted
    return record?.contents.find((one) => one.kind === kind && one.hash === hash)?.approved
  }
  const steps = relative(root, options.cwd).split('/').filter(Boolean)
  const folders = [...steps.keys(), steps.length].map((up) =>
    join(root, ...steps.slice(0, steps.length - up)),
  )
  return { root, folders, shared, decided, trusted, approved, warnings }
}

/**
 * Finds the root of a project: the nearest upwards with `.git` or `.pipe`, else `cwd`. The home folder never counts
 * as the project of a folder below it: trusting it would trust everything unpacked there.
 */
export function trustRoot(cwd: string, home: string): string {
  const root = findRoot(cwd, ['.git', '.pipe'])
  return holds(root, home) ? cwd : root
}

/** Whether a folder contains anything that trust affects. */
export function isProject(root: string): boolean {
  return ['.git', '.pipe', '.mcp.json'].some((name) => lookThrough(join(root, name)) !== undefined)
}
