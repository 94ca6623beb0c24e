/** Bytes that one image or document may have: what the strictest vendor takes. */
export const maxMediaBytes = 4.5 * 1024 * 1024

const signatures: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF'],
]

/** The MIME type of an image or document that models take, told by its first bytes: PNG, JPEG, GIF, WebP, PDF. */
export function mediaType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return signatures.find(([, offset, signature]) => start.startsWith(signature, offset))?.[0]
}
