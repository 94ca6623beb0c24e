import { fstatSync, readSync, writeSync } from 'node:fs'

/** Reads an open file from an offset: `length` bytes or to its end, fewer if it ends before. */
export function readFrom(
  descriptor: number,
  start: number,
  length: number = fstatSync(descriptor).size - start,
): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readInto(descriptor, bytes, start))
}

/** Fills bytes from an offset of an open file. Returns how many it has: fewer if the file ends before. */
export function readInto(descriptor: number, bytes: Uint8Array, start: number): number {
  let done = 0
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, start + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Writes all bytes at an offset, or at the file's position. Throws the system's error. */
export function writeWhole(descriptor: number, bytes: Uint8Array, start: number | null = null): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, start === null ? null : start + done)
  }
}
