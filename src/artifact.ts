/** Files as the tools see them, so that an editor or another machine can stand behind them. Paths are absolute. */
export interface ArtifactStore {
  /**
   * The whole file, up to `maxBytes` (the rest is left out). Throws `not_found`, `invalid` for what is no regular file
   * (folder, FIFO, device), `permission` where the system refuses.
   */
  readFile(path: string, options: OpenOptions & { readonly maxBytes?: number }): Promise<Uint8Array>
  /**
   * Lines `start` to `end`, counted from 1, both included, without their line ends; memory is bounded by the range, whatever
   * the file's size. Throws what `readFile` throws.
   */
  readFileRange(path: string, range: LineRange, options: OpenOptions): Promise<FileRange>
  /**
   * Where a path leads once its symlinks are followed, also of what does not exist yet: two paths of one file give the same.
   * Throws `invalid` for links in a circle, `permission`.
   */
  realPath(path: string, options: ReadOptions): Promise<string>
  /** SHA-256 of the content, hexadecimal; `undefined` where there is no file. */
  getRevision(path: string, options: ReadOptions): Promise<string | undefined>
  /** Names in a folder, sorted, folders with a final slash. Throws `not_found`, `permission`. */
  listDir(path: string, options: OpenOptions): Promise<readonly string[]>
  /**
   * All or nothing: readers see the old content or the new, also after a crash. Makes missing folders, keeps owner, mode and other
   * attributes, for which it may have to write in place.
   * The path is real, as `realPath` gave it: one that leads elsewhere by now is `invalid`, and nothing is written. Throws
   * `permission`, `internal` with the system's reason.
   */
  writeFile(path: string, content: Uint8Array, options: ReadOptions): Promise<void>
}

export interface ReadOptions {
  readonly signal: AbortSignal
}

export interface OpenOptions extends ReadOptions {
  /**
   * Whether symlinks in the path are followed (the default), or it is real, as `realPath` gave it: then one that leads elsewhere by
   * now is `invalid`, and nothing of what is there is told.
   */
  readonly followLinks?: boolean
}

export interface LineRange {
  readonly start: number
  readonly end: number
  /** A longer line is cut to this many characters. */
  readonly maxLineLength: number
}

export interface FileRange {
  readonly lines: readonly string[]
  /** Whether lines follow the last one. */
  readonly more: boolean
  /** How many lines the file has, where its end was reached. */
  readonly total?: number
}
