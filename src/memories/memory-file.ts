import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PipeError } from '../error.ts'
import { type PatientLockOptions, waitForLock } from '../files/lock/lock.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { followed } from '../files/real-path.ts'
import { systemCode } from '../files/system-error.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import type { MemoryScope } from '../memory/memories.ts'
import { MemoryDocument } from './memory-document.ts'

/** Largest file in bytes. */
const mostBytes = 256 * 1024

/** A file of memories. It need not exist. */
export interface MemoryPlace {
  readonly scope: MemoryScope
  /** Absolute. */
  readonly path: string
  /** Heads a new file. */
  readonly heading: string
}

/** Reads the memories of a file; none if it does not exist. Throws `config` for a link, and for what is no file of at most 256 KiB. */
export function readMemoryFile({ path, scope }: MemoryPlace): MemoryDocument {
  return new MemoryDocument(readBytes(path), scope)
}

/** A change of a file, and what it tells its caller. */
interface Change<Result> {
  /** Absent: nothing is written. */
  readonly document?: MemoryDocument
  readonly result: Result
}

/**
 * Replaces a file as `change` says, atomically and for its owner only. No other process changes it meanwhile. Throws what `change` throws,
 * and as `Memories.keep`.
 */
export async function changeMemoryFile<Result>(
  place: MemoryPlace,
  change: (document: MemoryDocument) => Change<Result>,
  holder: PatientLockOptions,
): Promise<Result> {
  const { path } = place
  makePrivateFolder(dirname(path))
  const lock = await waitForLock(`${path}.lock`, holder)
  try {
    const { document, result } = change(readMemoryFile(place))
    if (document === undefined) return result
    if (document.bytes.length > mostBytes)
      throw new PipeError('input', `${path} is full: it has at most 256 KiB; pipe memory forget makes room`)
    lock.requireHeld()
    // The folder may be behind a link, the file may not be one.
    const real = join(followed(dirname(path)), basename(path))
    await writeAtomically(real, document.bytes, { mode: 0o600, followLinks: false })
    return result
  } finally {
    lock.release()
  }
}

function readBytes(path: string): Buffer {
  const descriptor = open(path)
  if (descriptor === undefined) return Buffer.alloc(0)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw unreadable(path, 'it is not a regular file')
    // One byte more tells a file that grew meanwhile.
    const buffer = Buffer.alloc(Math.min(stat.size, mostBytes) + 1)
    const length = readSync(descriptor, buffer)
    if (length > mostBytes) throw unreadable(path, 'it has more than 256 KiB')
    return buffer.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') throw unreadable(path, 'it is a link, and pipe keeps memories in a file of its own')
    throw unreadable(path, code ?? String(error), error)
  }
}

function unreadable(path: string, reason: string, cause?: unknown): PipeError {
  return new PipeError('config', `cannot read ${path}: ${reason}`, { cause })
}
