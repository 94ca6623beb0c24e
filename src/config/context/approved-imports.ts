import type { FolderTrust } from '../trust/folder-trust.ts'
import { contentHash } from '../trust/trust.ts'

/** Whether the user approved that instructions of the project import this file, a real path outside of it. */
export function mayImport(path: string, trust: Pick<FolderTrust, 'approved'>): boolean {
  return trust.approved('import', contentHash(path)) === true
}
