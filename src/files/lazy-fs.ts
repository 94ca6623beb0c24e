/** `node:fs/promises`, loaded on first use: it takes over a millisecond, and a run without tools does not need it. */
export function promises(): typeof import('node:fs/promises') {
  return process.getBuiltinModule('node:fs/promises')
}
