/** `node:crypto`, loaded on first use: it takes two milliseconds, and a run without tools does not need it. */
export function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

/** SHA-256 as hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return crypto().hash('sha256', data)
}
