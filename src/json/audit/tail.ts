import { fstatSync } from 'node:fs'
import { sha256 } from '../../files/lazy-crypto.ts'
import { readFrom } from '../descriptor.ts'
import { openLine, type Seal, unsealed } from './line.ts'

/** Where a log may be written on. */
export interface End {
  /** The last whole line. */
  readonly seal: Seal
  /** Bytes of the whole lines. */
  readonly size: number
  /** Bytes after them: a line that was cut. */
  readonly torn: number
}

const newline = 0x0a
const chunkSize = 64 * 1024

/** Finds the end of an open log: reads its last line, not the whole. */
export function findEnd(descriptor: number): End {
  const all = fstatSync(descriptor).size
  let bytes = Buffer.alloc(0)
  for (let start = all; start > 0; ) {
    const length = Math.min(chunkSize, start)
    start -= length
    bytes = Buffer.concat([readFrom(descriptor, start, length), bytes])
    const last = bytes.lastIndexOf(newline)
    const before = last <= 0 ? -1 : bytes.lastIndexOf(newline, last - 1)
    if (last === -1 || (before === -1 && start > 0)) continue
    const line = bytes.subarray(before + 1, last)
    const size = start + last + 1
    return { seal: openLine(line)?.seal ?? sealAnyway(descriptor, line, size), size, torn: all - size }
  }
  return { seal: unsealed, size: 0, torn: all }
}

/** What a damaged last line is taken for: whoever checks the log finds the damage, and what comes after it is sealed again. */
function sealAnyway(descriptor: number, line: Buffer, size: number): Seal {
  let seq = 0
  for (let at = 0; at < size; at += chunkSize) {
    const chunk = readFrom(descriptor, at, Math.min(chunkSize, size - at))
    for (const byte of chunk) if (byte === newline) seq++
  }
  return { seq, hash: sha256(line) }
}
