import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes from the system's generator. Not from node:crypto, which takes two milliseconds to load for a handful of ids. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  const descriptor = openSync('/dev/urandom', 'r')
  try {
    readSync(descriptor, bytes)
  } finally {
    closeSync(descriptor)
  }
  return bytes
}
