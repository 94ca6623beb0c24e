import type { SandboxMode } from '../sandbox.ts'

/** What commands may do inside a sandbox. Paths are absolute. Everything may be read but for what is hidden. */
export interface SandboxProfile {
  readonly mode: SandboxMode
  readonly network: boolean
  /** Folders that may be written to where the mode lets them; those that do not exist are left out. */
  readonly writable: readonly string[]
  /** Names that stay as they are where something is there: in these folders, and up to three folders further down. */
  readonly protectedNames: readonly string[]
  /** What stays as it is, or absent: folders by their names in each of the writable ones, or by a path wherever they lie. */
  readonly protectedFolders: readonly string[]
  /** The same of files. */
  readonly protectedFiles: readonly string[]
  /** Paths of files and folders that are not written to where they exist, also where what is worked in lies in them. */
  readonly readOnly: readonly string[]
  /** Files and folders that cannot be read, as far as nothing that is worked in lies in them. */
  readonly hidden: readonly string[]
  /** Folder for temporary files, which commands see as `/tmp` on Linux. Made when first needed, left for the caller to remove. */
  readonly temp: string
  /** What else of `/tmp` commands see, besides the folders they may write to. */
  readonly visible: readonly string[]
}
