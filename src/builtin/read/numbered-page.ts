import { cutText } from '../../characters/cut.ts'
import type { FileRange } from '../../machine/artifact.ts'
import { limits } from '../tool-limits.ts'

/** The first rows that fit into one result, at most 2,000. */
export function fittingRows(rows: readonly string[]): readonly string[] {
  let size = 0
  const end = rows.slice(0, limits.lines).findIndex((row) => {
    size += Buffer.byteLength(row) + 1
    return size > limits.bytes
  })
  return rows.slice(0, end === -1 ? limits.lines : end)
}

/**
 * Formats lines for the model as `12<tab>text`, up to the size of one result. Notes, cuts and how to continue follow in brackets.
 * `first` is the number of the first line. A NUL becomes ␀, because some servers refuse it.
 */
export function numberedPage(range: FileRange, first: number, notes: readonly string[]): string {
  const { lines, more, total } = range
  const rows = fittingRows(
    lines.map((line, i) => {
      const text = line.length > limits.line ? `${cutText(line, limits.line)} [line cut]` : line
      return `${first + i}\t${text.replaceAll('\0', '␀')}`
    }),
  )
  const below = [...notes]
  const cut = lines.slice(0, rows.length).findIndex((line) => line.length > limits.line)
  if (cut !== -1) {
    below.push(
      `a line is shown up to ${limits.line} characters; for the rest: sed -n ${first + cut}p and cut -c, through bash`,
    )
  }
  if (more || rows.length < lines.length) {
    const next = first + rows.length
    const of = total === undefined ? '' : ` of ${total}`
    below.push(`lines ${first}-${next - 1}${of}; use offset=${next} to continue`)
  }
  return [...rows, ...below.map((note) => `[${note}]`)].join('\n')
}
