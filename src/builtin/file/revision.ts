import { crypto } from '../../files/lazy-crypto.ts'

/** SHA-256, hexadecimal: what `ArtifactStore.getRevision` says of a file with this content. */
export function revisionOf(bytes: Uint8Array): string {
  return crypto().createHash('sha256').update(bytes).digest('hex')
}
