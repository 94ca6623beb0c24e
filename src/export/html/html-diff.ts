import { changedWords } from '../../frontend/diff/changed-words.ts'
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
    mark === '⋮' ? '⋮' : `${mark} ${other === undefined ? escapeHtml(text) : markedHtml(row, other)}`
  return `<span class="${`row ${classes[mark]}`.trimEnd()}" data-n="${number ?? ''}">${body}\n</span>`
}

function markedHtml({ mark, text }: DiffRow, other: DiffRow): string {
  const changed = mark === '-' ? changedWords(text, other.text).before : changedWords(other.text, text).after
  let end = 0
  const marked = changed.map((part) => {
    const kept = escapeHtml(text.slice(end, part.start))
    end = part.end
    return `${kept}<b>${escapeHtml(text.slice(part.start, end))}</b>`
  })
  return marked.join('') + escapeHtml(text.slice(end))
}
