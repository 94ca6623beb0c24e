import { fstatSync } from 'node:fs'
import { readFrom } from '../../files/descriptor.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { openLine, type Seal, unsealed } from './audit-line.ts'

/** The end of a log, for further writes. */
export interface End {
  /** Seal of the last complete line. */
  readonly seal: Seal
  /** Bytes of the complete lines. */
  readonly size: number
  /** Bytes after them: a cut line. */
  readonly torn: number
}

const newline = 0x0a
const chunkSize = 64 * 1024

/** Finds the end of an open log by reading only its last line. */
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

/** Returns a seal for a damaged last line, so that later lines are sealed again. A check still finds the damage. */
function sealAnyway(descriptor: number, line: Buffer, size: number): Seal {
  let seq = 0
  for (let at = 0; at < size; at += chunkSize) {
    const chunk = readFrom(descriptor, at, Math.min(chunkSize, size - at))
    for (const byte of chunk) if (byte === newline) seq++
  }
  return { seq, hash: sha256(line) }
}
