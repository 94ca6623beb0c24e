const signatures: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['application/pdf', /^%PDF-\d/],
]

/** Detects an image or document that models accept by its first bytes: PNG, JPEG, GIF, WebP, PDF. Returns its MIME type. */
export function mediaType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return signatures.find(([, signature]) => signature.test(start))?.[0]
}
