import { closeSync, openSync, readSync } from 'node:fs'

/** How much is read at once: ids for some rounds. */
const poolSize = 512

/**
 * Bytes from the system's generator, each given once. Not from node:crypto, which takes two milliseconds to load before the first
 * id is needed.
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
