import { diffWordsWithSpace } from 'diff'
import { pairRows } from '../../frontend/diff/diff-pairs.ts'
import { type DiffRow, diffRows } from '../../frontend/diff/diff-rows.ts'
import { escapeHtml } from './escape.ts'

const classes: Readonly<Record<DiffRow['mark'], string>> = { '+': 'add', '-': 'del', ' ': '', '⋮': 'gap' }

/** Renders a unified diff of one file: numbered rows, and in changed lines the changed words. */
export function diffHtml(diff: string): string {
  const rows = diffRows(diff)
  const others = pairRows(rows)
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
