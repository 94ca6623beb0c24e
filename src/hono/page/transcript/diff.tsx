import { type CSSProperties, memo, type ReactElement, useMemo, useState } from 'react'
import { languageOf } from '../../../frontend/code/coloured-line.ts'
import { type DiffFile, diffFiles } from '../../../frontend/diff/diff-files.ts'
import { type DiffRow, diffRows } from '../../../frontend/diff/diff-rows.ts'
import { CodeParts, useColours } from './code-parts.tsx'

/** Rows that are drawn before the user asks for more. */
const firstRows = 200

const classes: Readonly<Record<DiffRow['mark'], string>> = {
  '+': 'added',
  '-': 'removed',
  ' ': '',
  '⋮': 'gap',
}

interface DiffProps {
  readonly diff: string
  /** Draws all rows at once, as of what is to be allowed. */
  readonly isWhole?: boolean
}

/** Draws a unified diff of any number of files with line numbers. */
export const Diff = memo(function Diff({ diff, isWhole = false }: DiffProps): ReactElement {
  const keyed = diffFiles(diff).map((file, place) => ({ file, key: String(place) }))
  return (
    <>
      {keyed.map(({ file, key }) => (
        <FileDiff key={key} file={file} isWhole={isWhole} />
      ))}
    </>
  )
})

function FileDiff({
  file: { name, remark, diff },
  isWhole,
}: {
  readonly file: DiffFile
  readonly isWhole: boolean
}): ReactElement {
  const [most, setMost] = useState(firstRows)
  const rows = useMemo(() => diffRows(diff), [diff])
  const looks = useColours(diff, (colouring) => colouring.rows(rows, languageOf(name)), true)
  const shown = isWhole ? rows : rows.slice(0, most)
  const left = rows.length - shown.length
  const isNamed = diff.startsWith('diff --git ') || isWhole
  const keyed = shown.map((row, place) => ({ row, key: String(place) }))
  return (
    <div className="diff">
      {(isNamed && name !== '') || remark !== '' ? (
        <p className="file">
          {isNamed ? name : ''} <span className="muted">{remark}</span>
        </p>
      ) : null}
      {keyed.length === 0 ? null : (
        <div className="rows">
          {keyed.map(({ row, key }) => {
            const { parts = [{ text: row.text }], changed = [] } = looks?.get(row) ?? {}
            return (
              <div key={key} className={`row ${classes[row.mark]}`}>
                <span className="number">{row.number ?? ''}</span>
                <span className="mark">{row.mark}</span>
                <span className="line" style={hanging(row.text)}>
                  <CodeParts parts={parts} marks={changed} />
                </span>
              </div>
            )
          })}
        </div>
      )}
      {left > 0 ? (
        <button type="button" className="more" onClick={() => setMost(most + 1_000)}>
          {left} more lines
        </button>
      ) : null}
    </div>
  )
}

/** Columns of indentation that wrapped lines keep, so that there is room for their text on a phone. */
const mostIndent = 12

/** Lets a line that wraps go on below its first character. */
function hanging(text: string): CSSProperties {
  const [blank = ''] = /^[ \t]*/.exec(text) ?? []
  const columns = Math.min(blank.replaceAll('\t', '    ').length, mostIndent)
  return { paddingLeft: `${columns}ch`, textIndent: `-${columns}ch` }
}
