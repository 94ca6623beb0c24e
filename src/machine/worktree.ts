/**
 * Creates folders to work in, apart from the user's files. Each begins as a copy of a project: of a git repository with uncommitted and
 * untracked files, or of another folder as it is. Throws `tool`, `aborted`, and `input` for a folder that cannot be copied.
 */
export interface Worktrees {
  /** Creates the folder of this id, from the files as they are or from a commit. Throws `conflict` if there is one. */
  create(id: string, options: WorktreeOptions): Promise<Worktree>
  /** Opens it again, or makes it anew from the work saved last. Throws `not_found` if nothing was saved. */
  open(id: string, options: { readonly signal: AbortSignal }): Promise<Worktree>
  /** Merges the work saved last into the user's files. Repeating it changes nothing. Throws `not_found`. */
  apply(id: string, options: { readonly signal: AbortSignal }): Promise<AppliedWork>
  /** Shows the work saved last, and works without the folder. Throws `not_found`. */
  diff(id: string, options: { readonly signal: AbortSignal }): Promise<WorktreeDiff>
  /** Forgets the folder and the work. */
  discard(id: string, options: { readonly signal: AbortSignal }): Promise<void>
}

/** Worktrees whose work moves to other machines, as git bundles. */
export interface PortableWorktrees extends Worktrees {
  /** Packs the work saved last. Throws `not_found` if nothing was saved. */
  bundle(id: string, options: { readonly signal: AbortSignal }): Promise<Uint8Array>
  /** Whether the work saved last here is that of a bundle, of which the first bytes are given. */
  holds(id: string, bundleStart: Uint8Array, options: { readonly signal: AbortSignal }): Promise<boolean>
  /**
   * Takes over work that another machine packed; `open` then makes its folder. Throws `invalid`, and `not_found` if the repository lacks
   * the commit that the work began with.
   */
  restoreBundle(id: string, bundle: Uint8Array, options: { readonly signal: AbortSignal }): Promise<void>
}

export interface WorktreeOptions {
  readonly signal: AbortSignal
  /** The commit to begin with. Default: the files as they are. */
  readonly base?: string | undefined
}

/** A folder to work in. The work outlives it once saved. */
export interface Worktree {
  readonly id: string
  /** Real path of the folder that stands for the user's working folder. */
  readonly cwd: string
  /** The commit that it began with. */
  readonly base: string
  /** The ref that keeps the work, such as `refs/pipe/elves/ID`. */
  readonly ref: string
  /** Saves the work under its ref. Returns false if nothing has changed since the last time. */
  save(options: { readonly signal: AbortSignal }): Promise<boolean>
  /** Saves, and compares with the base. `showsRenames`: a renamed file is not a deleted and a new one in the text. */
  diff(options: { readonly signal: AbortSignal; readonly showsRenames?: boolean }): Promise<WorktreeDiff>
  /** Removes the folder. The saved work stays. */
  remove(): Promise<void>
}

/** The work in a folder as one diff. */
export interface WorktreeDiff {
  /** A unified diff that `git apply` takes, binary files included. Empty if nothing changed. */
  readonly text: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  /** Relative to the user's working folder, with slashes. */
  readonly path: string
  /** Lines; absent for a binary file. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
}

/** The result of a merge into the user's files. */
export interface AppliedWork {
  /** Paths that were written or removed. Empty if the work was applied before. */
  readonly applied: readonly string[]
  /** Paths with changes on both sides that do not fit together. Then no file was changed, and the ref keeps the work. */
  readonly conflicts: readonly string[]
  readonly ref: string
}
