/** A row of a unified diff. `⋮` separates two hunks. */
export interface DiffRow {
  readonly mark: '+' | '-' | ' ' | '⋮'
  /** The line in the old file if it was removed, else in the new one. */
  readonly number?: number
  readonly text: string
}

/** Lists the rows of all hunks of a unified diff of one file, without the file names. */
export function diffRows(diff: string): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let [old, now] = [0, 0]
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (hunk !== null) {
      if (rows.length > 0) rows.push({ mark: '⋮', text: '' })
      old = Number(hunk[1])
      now = Number(hunk[2])
    } else if (old + now === 0) {
      // Skip the file names above the first hunk.
    } else if (text.startsWith('+')) rows.push({ mark: '+', number: now++, text: text.slice(1) })
    else if (text.startsWith('-')) rows.push({ mark: '-', number: old++, text: text.slice(1) })
    else if (text.startsWith(' ')) {
      rows.push({ mark: ' ', number: now++, text: text.slice(1) })
      old++
    }
  }
  return rows
}

/** Counts added and removed lines: `+3 -1`. */
export function diffSize(diff: string): string {
  const rows = diffRows(diff)
  const count = (mark: string) => rows.filter((row) => row.mark === mark).length
  return `+${count('+')} -${count('-')}`
}
