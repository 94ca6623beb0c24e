/** Images of one pixel, and a PDF of one empty page. */
const whole = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  webp: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  lossless: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  extended:
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
}

const fromBase64 = (data: string) => Buffer.from(data, 'base64')

export const gif = fromBase64(whole.gif)
export const webp = fromBase64(whole.webp)
export const losslessWebp = fromBase64(whole.lossless)
export const extendedWebp = fromBase64(whole.extended)

/** A JPEG of 32x16 pixels. Its scan holds no real pixels. */
export const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc00011080010002003012200021101031101' +
    'ffda000c03010002110311003f0000ffd9',
  'hex',
)

export const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

/** A PNG whose header names this size, with `rest` NULs behind its end. */
export function png(width = 1, height = 1, rest = 0): Buffer {
  const bytes = Buffer.concat([fromBase64(whole.png), Buffer.alloc(rest)])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
