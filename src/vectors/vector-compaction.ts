import { encodeChange, encodeJournalHeader, type Named } from './journal-line.ts'
import { openRowFile, type RowPlace, readRows, writeRows } from './row-file.ts'
import type { VectorJournal } from './vector-journal.ts'

/** Dead rows that a store may have, if it has as many living ones. */
const mostDead = 1_000
/** Rows to copy at a time. */
const chunk = 1_024

interface Move {
  readonly from: RowPlace
  /** Path and name of the new file of rows. */
  readonly to: string
  readonly rows: string
}

/**
 * Copies the living rows to a new file, which is on disk when this resolves. Returns the journal that goes with it, or `undefined` if
 * most rows live. Throws system errors.
 */
export async function compacted({ header, entries }: VectorJournal, { from, to, rows }: Move) {
  if (entries.count - entries.living <= Math.max(mostDead, entries.living)) return undefined
  const { dimensions } = from
  const marks = entries.matching()
  const living = Array.from(marks.keys()).filter((row) => marks[row] === 1)
  const lines = [encodeJournalHeader({ ...header, rows })]
  const old = openRowFile(from, 'read')
  const file = openRowFile({ path: to, dimensions }, 'write')
  try {
    for (let start = 0; start < living.length; start += chunk) {
      const some = living.slice(start, start + chunk)
      const vectors = some.map((row) => {
        const vector = new Float32Array(dimensions)
        readRows(old, row, vector, dimensions)
        return vector
      })
      writeRows(file, start, vectors)
      const named = some.map((row): Named => [entries.id(row), entries.metadata(row)])
      lines.push(encodeChange({ type: 'put', row: start, entries: named }))
    }
    await file.sync()
  } finally {
    old.close()
    file.close()
  }
  return Buffer.from(lines.join(''))
}
