import type { JsonObject } from '../json-value.ts'

/** File access for tools, as a port: an editor or another machine can implement it. Paths are absolute. */
export interface ArtifactStore {
  /**
   * Reads a file, up to `maxBytes`. Throws `not_found`, `permission`, and `invalid` for anything but a regular file (FIFO, device, and a
   * folder, with `details.reason` `EISDIR`).
   */
  readFile(path: string, options: ArtifactOptions & { readonly maxBytes?: number }): Promise<Uint8Array>
  /**
   * Reads lines `start` to `end`, counted from 1, inclusive, without line ends. The range bounds memory, not the file's size.
   * Throws like `readFile`.
   */
  readFileRange(path: string, range: LineRange, options: ArtifactOptions): Promise<FileRange>
  /**
   * Resolves symlinks, also for paths that do not exist yet: two paths of one file give the same. Throws `invalid` for circular
   * links, `permission`.
   */
  realPath(path: string, options: ReadOptions): Promise<string>
  /** SHA-256 of the content in hex; `undefined` if there is no file. */
  getRevision(path: string, options: ReadOptions): Promise<string | undefined>
  /** Lists the names in a folder, sorted, folders with a trailing slash. Throws `not_found`, also for a file, and `permission`. */
  listDir(path: string, options: ArtifactOptions): Promise<readonly string[]>
  /**
   * Replaces a file's content, all or nothing. Creates missing folders; keeps owner, mode and attributes. Throws `invalid` if `path`
   * is no longer as `realPath` returned it, `permission`, and `internal` with the system's reason.
   */
  writeFile(path: string, content: Uint8Array, options: ReadOptions): Promise<void>
  /**
   * Moves a file or a folder to a path at which there is nothing. Creates missing folders. Throws `not_found`, `invalid` if there is
   * something at `to` (`details.reason` `exists`) or a path is no longer as `realPath` returned it, `permission`, and `internal` with the system's reason.
   */
  move(from: string, to: string, options: ReadOptions): Promise<void>
}

export interface ReadOptions {
  readonly signal: AbortSignal
}

export interface ArtifactOptions extends ReadOptions {
  /**
   * Whether to follow symlinks (default). If false, a path that is no longer as `realPath` returned it is `invalid`, and reveals
   * nothing.
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
  /** Number of lines in the file, if its end was reached. */
  readonly total?: number
}

/** All kinds of artifacts. */
export const artifactTypes = [
  'tex',
  'outline_md',
  'brief_md',
  'style_md',
  'bib',
  'figure',
  'data',
  'code',
  'other',
] as const

export type ArtifactType = (typeof artifactTypes)[number]

/** A file of a project, as tasks refer to it. */
export interface Artifact {
  readonly id: string
  readonly type: ArtifactType
  /** Relative to the task's folder, with slashes. */
  readonly path: string
  readonly metadata?: JsonObject
}

const byEnding: readonly (readonly [type: ArtifactType, endings: RegExp])[] = [
  ['outline_md', /(^|[^a-z])outline\.(md|markdown)$/],
  ['brief_md', /(^|[^a-z])brief\.(md|markdown)$/],
  ['style_md', /(^|[^a-z])style([_-]?guide)?\.(md|markdown)$/],
  ['tex', /\.(tex|ltx|sty|cls)$/],
  ['bib', /\.(bib|bst|ris)$/],
  ['figure', /\.(png|jpe?g|gif|webp|svg|pdf|eps|tiff?|tikz)$/],
  ['data', /\.(csv|tsv|json|jsonl|ndjson|xml|parquet|xlsx?|ods|dat|db|sqlite3?|npy|npz|h5)$/],
  [
    'code',
    /\.([cm]?[jt]sx?|py|r|rb|go|rs|java|kt|scala|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|jl|hs|ml|ex|exs|sh|bash|sql|html?|css|scss|vue|svelte|ipynb)$/,
  ],
]

/** Tells what kind of artifact a path names, by its name alone. */
export function artifactTypeOf(path: string): ArtifactType {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return byEnding.find(([, endings]) => endings.test(name))?.[0] ?? 'other'
}
