import type { SandboxMode } from '../sandbox.ts'

/** What commands may do inside a sandbox. All paths are absolute. Everything may be read but for what is hidden. */
export interface SandboxProfile {
  readonly mode: SandboxMode
  readonly network: boolean
  /** Folders that may be written to where the mode lets them; those that do not exist are left out. */
  readonly writable: readonly string[]
  /** Names in these folders that stay as they are, whether something is there or not. */
  readonly protectedNames: readonly string[]
  /** What stays as it is wherever it lies. */
  readonly protectedPaths: readonly string[]
  /** Files and folders that cannot be read, as far as nothing that is worked in lies in them. */
  readonly hidden: readonly string[]
  /** Folder for temporary files, which commands see as `/tmp` on Linux. Made when first needed, left for the caller to remove. */
  readonly temp: string
  /** What else of `/tmp` commands see, besides the folders they may write to. */
  readonly visible: readonly string[]
}
