import { fstatSync, readSync, writeSync } from 'node:fs'

/** Reads an open file from an offset: `length` bytes or to its end, fewer if it ends before. */
export function readFrom(
  descriptor: number,
  start: number,
  length: number = fstatSync(descriptor).size - start,
): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const read = readSync(descriptor, bytes, done, length - done, start + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/** Writes all bytes at an offset, or at the file's position. Throws the system's error. */
export function writeWhole(descriptor: number, bytes: Uint8Array, start: number | null = null): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, start === null ? null : start + done)
  }
}
