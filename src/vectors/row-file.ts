import { constants, fstatSync, openSync } from 'node:fs'
import { readInto, writeWhole } from '../files/descriptor.ts'
import { OpenFile } from '../files/open-file.ts'
import { systemCode } from '../files/system-error.ts'

/** A file of vectors of length 1: Float32, little-endian, one after the other. Functions throw system errors. */
export interface RowPlace {
  readonly path: string
  readonly dimensions: number
}

const bytesOf = Float32Array.BYTES_PER_ELEMENT

/** Returns how many whole rows an open file holds. */
export function countRows({ descriptor }: OpenFile, dimensions: number): number {
  return Math.floor(fstatSync(descriptor).size / (dimensions * bytesOf))
}

export function openRowFile({ path }: RowPlace, use: 'read' | 'write'): OpenFile {
  const { O_RDONLY, O_RDWR, O_CREAT, O_NOFOLLOW } = constants
  const flags = use === 'read' ? O_RDONLY : O_RDWR | O_CREAT
  const descriptor = openSync(path, flags | O_NOFOLLOW, 0o600)
  return new OpenFile(path, descriptor, { isNew: fstatSync(descriptor).size === 0 })
}

/** Opens a file for reading; `undefined` if there is none. */
export function openRowsIfThere(place: RowPlace): OpenFile | undefined {
  try {
    return openRowFile(place, 'read')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes rows from this one on, over whatever a crash has left there. */
export function writeRows({ descriptor }: OpenFile, row: number, vectors: readonly Float32Array[]): void {
  const dimensions = vectors[0]?.length ?? 0
  const values = new Float32Array(vectors.length * dimensions)
  for (const [i, vector] of vectors.entries()) values.set(vector, i * dimensions)
  writeWhole(descriptor, new Uint8Array(values.buffer), row * dimensions * bytesOf)
}

/** Overwrites rows with zeros, so that nothing of removed texts remains. */
export function blankRows({ descriptor }: OpenFile, rows: readonly number[], dimensions: number): void {
  const zeros = new Uint8Array(dimensions * bytesOf)
  for (const row of rows) writeWhole(descriptor, zeros, row * zeros.length)
}

/** Fills values from a row on. */
export function readRows({ descriptor }: OpenFile, row: number, values: Float32Array, dimensions: number) {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  readInto(descriptor, bytes, row * dimensions * bytesOf)
}
