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

/** Counts the lines that unified diffs of one file each add and remove. */
export function changedLines(diffs: readonly string[]): {
  readonly added: number
  readonly removed: number
} {
  const marks = diffs.flatMap(diffRows).map(({ mark }) => mark)
  const count = (wanted: DiffRow['mark']) => marks.filter((mark) => mark === wanted).length
  return { added: count('+'), removed: count('-') }
}

/** Counts the same lines in words: `+3 -1`. */
export function diffSize(diffs: readonly string[]): string {
  const { added, removed } = changedLines(diffs)
  return `+${added} -${removed}`
}
