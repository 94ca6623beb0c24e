/** `node:fs/promises`, loaded at its first use: it takes more than a millisecond, and a run without tools needs none of it. */
export function promises(): typeof import('node:fs/promises') {
  return process.getBuiltinModule('node:fs/promises')
}
