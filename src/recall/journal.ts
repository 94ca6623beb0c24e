import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../files/descriptor.ts'
import { readIfThere } from '../files/reading/read-if-there.ts'
import { isSessionId } from '../id.ts'
import { isJsonObject, type JsonValue, parseJson } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { TextDocument } from './text-source.ts'

/** The newest documents, one JSON line each, not yet in a segment. */
export interface Journal {
  readonly documents: readonly TextDocument[]
  /** Bytes that hold these documents. */
  readonly size: number
}

function journalIn(folder: string): string {
  return join(folder, 'journal.jsonl')
}

/** Reads a journal; empty if there is none. Skips lines that a crash left. */
export function readJournal(folder: string): Journal {
  const bytes = readBytes(folder)
  const end = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, end).split('\n')
  return { documents: lines.flatMap((line) => (line === '' ? [] : decode(parseJson(line)))), size: end }
}

/** Appends documents in one write, unless the journal is longer than `most` bytes. Throws the system's error. */
export function appendToJournal(
  folder: string,
  documents: readonly TextDocument[],
  most = Number.POSITIVE_INFINITY,
): void {
  const descriptor = openSync(journalIn(folder), 'a', 0o600)
  try {
    if (fstatSync(descriptor).size > most) return
    // Begins a new line, as a crash may have left half of one.
    writeWhole(descriptor, Buffer.from(`\n${documents.map(encode).join('\n')}\n`))
  } finally {
    closeSync(descriptor)
  }
}

/** Removes the first `read` bytes of a journal. May lose what is appended meanwhile: a search then reads those sessions again. */
export async function cutJournal(folder: string, read: number): Promise<void> {
  const { writeAtomically } = await import('../files/writing/atomic.ts')
  await writeAtomically(journalIn(folder), readBytes(folder).subarray(read), { mode: 0o600 })
}

/** Returns the length of a journal in bytes. */
export function journalSize(folder: string): number {
  return statSync(journalIn(folder), { throwIfNoEntry: false })?.size ?? 0
}

function readBytes(folder: string): Buffer {
  return readIfThere(journalIn(folder)) ?? Buffer.alloc(0)
}

function encode({ createdAt, ...document }: TextDocument): string {
  return JSON.stringify({ ...document, created_at: createdAt })
}

function decode(value: JsonValue | undefined): readonly TextDocument[] {
  if (!isJsonObject(value)) return []
  const { id, created_at: createdAt, cwd, text } = value
  const { from, through, size, modified, at } = value
  if (typeof id !== 'string' || !isSessionId(id) || typeof createdAt !== 'string') return []
  if (typeof from !== 'number' || typeof through !== 'number' || typeof size !== 'number') return []
  if (typeof modified !== 'number' || typeof at !== 'number' || typeof text !== 'string') return []
  const folder = typeof cwd === 'string' ? cwd : undefined
  return [{ id, createdAt, from, through, size, modified, at, text, ...omitUndefined({ cwd: folder }) }]
}
