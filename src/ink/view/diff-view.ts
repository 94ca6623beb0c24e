import { diffName } from '../../frontend/diff/diff-files.ts'
import { diffSize } from '../../frontend/diff/diff-rows.ts'
import { counted } from '../../frontend/words/amount.ts'
import { isJsonObject } from '../../json-value.ts'
import { visible } from '../../terminal/visible.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { drawWholeDiff } from '../code/diff.ts'
import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, span } from '../rows/line.ts'
import type { EndedCall } from '../transcript/call.ts'
import { type Drawn, RowSource } from './row-source.ts'
import { openView, type View } from './view.ts'

/** Characters of a diff that are drawn, and of one that is highlighted, which takes longer. */
const longestDiff = 3_000_000
const longestHighlighted = 300_000
/** Files in the list above the diff. */
const listedFiles = 50

/** Shows a unified diff of one or more files, below a list of them. */
export function diffView(title: string, diff: string, syntax: Syntax | undefined): View {
  const text = visible(diff.slice(0, longestDiff))
  const files = text.split(/^(?=diff --git )/m).filter((one) => one.trim() !== '')
  const looks = text.length > longestHighlighted ? undefined : syntax
  return openView({
    type: 'diff',
    title,
    facts: [counted(files.length, 'file'), sizeOf(files)].join(' · '),
    source: new RowSource((width) => draw(files, { isCut: diff.length > longestDiff, width, syntax: looks })),
    hints: files.length > 1 ? ['[ ] other files'] : [],
  })
}

/** Joins the diffs of calls that changed files, in their order. `undefined` if none did. */
export function diffOfCalls(calls: readonly EndedCall[]): string | undefined {
  const diffs = calls.flatMap(({ details, isError }) => {
    const diff = isJsonObject(details) && !isError ? details['diff'] : undefined
    return typeof diff === 'string' && diff !== '' ? [withHead(diff)] : []
  })
  return diffs.length === 0 ? undefined : diffs.join('')
}

function withHead(diff: string): string {
  const ended = diff.endsWith('\n') ? diff : `${diff}\n`
  const name = diffName(diff)
  return diff.startsWith('diff --git ') ? ended : `diff --git a/${name} b/${name}\n${ended}`
}

interface Drawing {
  readonly isCut: boolean
  readonly width: number
  readonly syntax: Syntax | undefined
}

function draw(files: readonly string[], { isCut, width, syntax }: Drawing): Drawn {
  const rows: Line[] = files.length > 1 ? [...drawList(files, width), []] : []
  const parts: number[] = []
  for (const file of files) {
    if (parts.length > 0) rows.push([])
    parts.push(rows.length)
    for (const row of drawWholeDiff(file, width, syntax)) rows.push(row)
  }
  if (isCut) rows.push(cut(line('… the rest of this diff is too long to show', { color: 'warning' }), width))
  return { rows, parts }
}

function drawList(files: readonly string[], width: number): readonly Line[] {
  const shown = files.slice(0, listedFiles)
  const sizes = shown.map((file) => sizeOf([file]))
  const room = Math.max(...sizes.map((size) => size.length)) + 2
  const rows = shown.map((file, i): Line => {
    const name = cut([span(`  ${diffName(file)}`)], Math.max(10, width - room))
    const blank = ' '.repeat(Math.max(2, width - room - columnsOf(diffName(file))))
    return cut([...name, span(`${blank}${sizes[i]}`, { color: 'muted' })], width)
  })
  const left = files.length - shown.length
  return left > 0 ? [...rows, line(`  … ${left} more`, { color: 'muted' })] : rows
}

function sizeOf(files: readonly string[]): string {
  return diffSize(files).replace('-', '−')
}
