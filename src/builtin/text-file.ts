import { crypto } from '../files/lazy-crypto.ts'

/** SHA-256, hexadecimal: what `ArtifactStore.getRevision` says of a file with this content. */
export function revisionOf(bytes: Uint8Array): string {
  return crypto().createHash('sha256').update(bytes).digest('hex')
}

/** The exact text of UTF-8 bytes, a byte order mark included; `undefined` where they are not UTF-8 or hold NUL. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  if (isBinary(bytes)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const sniffed = 8_192

/** Whether the first bytes hold NUL, as git and ripgrep tell it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, sniffed).includes(0)
}
