import type { SandboxMode } from '../machine/sandbox.ts'

/** The permissions of commands inside a sandbox. Paths are absolute. Everything may be read unless it is hidden. */
export interface SandboxProfile {
  readonly mode: SandboxMode
  readonly network: boolean
  /** Folders that commands may write to if the mode allows it. Missing ones are skipped. */
  readonly writable: readonly string[]
  /** Names that stay unchanged wherever they exist in these folders, up to three levels below. */
  readonly protectedNames: readonly string[]
  /** Folders that stay unchanged, or missing: names within each writable folder, or absolute paths. */
  readonly protectedFolders: readonly string[]
  /** Like `protectedFolders`, for files. */
  readonly protectedFiles: readonly string[]
  /** Files and folders that stay read-only if they exist, even if a working folder lies in them. */
  readonly readOnly: readonly string[]
  /** Files and folders that commands cannot read, except those that hold a working folder. */
  readonly hidden: readonly string[]
  /** Folder for temporary files, which commands see as `/tmp` on Linux. Made when first needed, left for the caller to remove. */
  readonly temp: string
  /** Paths in `/tmp` that commands see, in addition to `writable`. */
  readonly visible: readonly string[]
}
