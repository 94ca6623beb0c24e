import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { readFrom, writeWhole } from '../files/descriptor.ts'
import { OpenFile } from '../files/open-file.ts'
import { systemCode } from '../files/system-error.ts'
import { Entries } from './entries.ts'
import {
  decodeChange,
  decodeHeader,
  encodeChange,
  type JournalHeader,
  type VectorChange,
} from './journal-line.ts'

const longestHeader = 4_096

/** The changes of a store as far as they are whole. What a killed writer has left after them does not count. */
export class VectorJournal {
  readonly header: JournalHeader
  readonly entries = new Entries()
  readonly #line: string
  /** Bytes of the lines that count. */
  #offset: number

  constructor(line: string, header: JournalHeader) {
    this.#line = line
    this.header = header
    this.#offset = Buffer.byteLength(line) + 1
  }

  /** Whether a journal with this first line continues this one. */
  begins(line: string): boolean {
    return line === this.#line
  }

  /** Reads the changes that were added. Returns false if one cannot be read. */
  read(descriptor: number): boolean {
    const bytes = readFrom(descriptor, this.#offset, Math.max(0, fstatSync(descriptor).size - this.#offset))
    const end = bytes.lastIndexOf('\n') + 1
    for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) {
      const change = decodeChange(line)
      if (change === undefined || !this.entries.apply(change)) return false
    }
    this.#offset += end
    return true
  }

  /** Appends a change that is on disk when this resolves, in the place of what a killed writer has left. */
  async append(path: string, change: VectorChange): Promise<void> {
    const file = new OpenFile(path, openSync(path, constants.O_RDWR | constants.O_NOFOLLOW), { isNew: false })
    try {
      ftruncateSync(file.descriptor, this.#offset)
      try {
        writeWhole(file.descriptor, Buffer.from(encodeChange(change)), this.#offset)
      } catch (error) {
        ftruncateSync(file.descriptor, this.#offset)
        throw error
      }
      await file.sync()
      this.read(file.descriptor)
    } finally {
      file.close()
    }
  }
}

/** Reads a journal, or the rest of a known one. Returns `undefined` if it is missing, damaged or of another version. */
export function readVectorJournal(path: string, known: VectorJournal | undefined): VectorJournal | undefined {
  const descriptor = openIfThere(path)
  if (descriptor === undefined) return undefined
  try {
    const beginning = readFrom(descriptor, 0, longestHeader)
    const line = beginning.toString('utf8', 0, Math.max(0, beginning.indexOf('\n')))
    const header = decodeHeader(line)
    if (header === undefined) return undefined
    const journal = known?.begins(line) === true ? known : new VectorJournal(line, header)
    return journal.read(descriptor) ? journal : undefined
  } finally {
    closeSync(descriptor)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
