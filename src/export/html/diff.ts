import { diffWordsWithSpace } from 'diff'
import { type DiffRow, diffRows } from '../../text/diff-rows.ts'
import { escapeHtml } from './escape.ts'

/** Longest line whose changed words are marked, in characters. */
const mostCompared = 500

const classes: Readonly<Record<DiffRow['mark'], string>> = { '+': 'add', '-': 'del', ' ': '', '⋮': 'gap' }

/** Renders a unified diff of one file: numbered rows, and in changed lines the changed words. */
export function diffHtml(diff: string): string {
  const rows = diffRows(diff)
  const others = counterparts(rows)
  const digits = String(rows.reduce((most, { number = 0 }) => Math.max(most, number), 0)).length
  const drawn = rows.map((row) => rowHtml(row, others.get(row)))
  return `<pre class="diff" tabindex="0" style="--digits:${digits}"><code>${drawn.join('')}</code></pre>\n`
}

function rowHtml(row: DiffRow, other: DiffRow | undefined): string {
  const { mark, number, text } = row
  const body =
    mark === '⋮' ? '⋮' : `${mark} ${other === undefined ? escapeHtml(text) : changedWords(row, other)}`
  return `<span class="${`row ${classes[mark]}`.trimEnd()}" data-n="${number ?? ''}">${body}\n</span>`
}

function changedWords({ mark, text }: DiffRow, other: DiffRow): string {
  const [before, after] = mark === '-' ? [text, other.text] : [other.text, text]
  return diffWordsWithSpace(before, after)
    .filter(({ added, removed }) => (mark === '-' ? !added : !removed))
    .map(({ value, added, removed }) =>
      added || removed ? `<b>${escapeHtml(value)}</b>` : escapeHtml(value),
    )
    .join('')
}

/** Pairs each removed line with the added line in its place, where as many lines are added as removed. */
function counterparts(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, DiffRow> {
  const pairs = new Map<DiffRow, DiffRow>()
  for (let at = 0; at < rows.length; ) {
    const removed = run(rows, at, '-')
    const added = run(rows, at + removed.length, '+')
    at += Math.max(1, removed.length + added.length)
    if (removed.length !== added.length) continue
    for (const [i, old] of removed.entries()) {
      const now = added[i]
      if (now === undefined || Math.max(old.text.length, now.text.length) > mostCompared) continue
      pairs.set(old, now).set(now, old)
    }
  }
  return pairs
}

function run(rows: readonly DiffRow[], start: number, mark: DiffRow['mark']): readonly DiffRow[] {
  let end = start
  while (rows[end]?.mark === mark) end++
  return rows.slice(start, end)
}
