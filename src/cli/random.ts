import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes read at once, enough ids for a few rounds. */
const poolSize = 512

/**
 * Returns bytes from the system's generator, each once. Not from node:crypto: it takes two milliseconds to load, and each run needs
 * an id.
 */
export function createRandomBytes(): (count: number) => Uint8Array {
  let pool = new Uint8Array(0)
  return (count) => {
    if (pool.length < count) pool = readRandom(Math.max(count, poolSize))
    const bytes = pool.slice(0, count)
    pool = pool.subarray(count)
    return bytes
  }
}

function readRandom(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  const descriptor = openSync('/dev/urandom', 'r')
  try {
    readSync(descriptor, bytes)
  } finally {
    closeSync(descriptor)
  }
  return bytes
}
