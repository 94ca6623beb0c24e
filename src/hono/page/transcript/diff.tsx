import { memo, type ReactElement, useState } from 'react'
import { type DiffRow, diffRows } from '../../../frontend/diff/diff-rows.ts'

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
  const files = diff.split(/^(?=diff --git )/m).filter((file) => file.trim() !== '')
  const keyed = files.map((file, place) => ({ file, key: String(place) }))
  return (
    <>
      {keyed.map(({ file, key }) => (
        <FileDiff key={key} file={file} isWhole={isWhole} />
      ))}
    </>
  )
})

function FileDiff({ file, isWhole }: { readonly file: string; readonly isWhole: boolean }): ReactElement {
  const [most, setMost] = useState(firstRows)
  const rows = diffRows(file)
  const shown = isWhole ? rows : rows.slice(0, most)
  const left = rows.length - shown.length
  const name = file.startsWith('diff --git ') || isWhole ? nameIn(file) : ''
  const remark = remarkOn(file)
  const keyed = shown.map((row, place) => ({ row, key: String(place) }))
  return (
    <div className="diff">
      {name === '' && remark === '' ? null : (
        <p className="file">
          {name} <span className="muted">{remark}</span>
        </p>
      )}
      {keyed.length === 0 ? null : (
        <div className="rows">
          {keyed.map(({ row, key }) => (
            <div key={key} className={`row ${classes[row.mark]}`}>
              <span className="number">{row.number ?? ''}</span>
              <span className="mark">{row.mark}</span>
              <span className="line">{row.text}</span>
            </div>
          ))}
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

/** Returns the name of a diff's file, also of one that has no lines to compare. */
function nameIn(file: string): string {
  const [, name] =
    /^\+\+\+ b\/(.*)$/m.exec(file) ??
    /^--- a\/(.*)$/m.exec(file) ??
    /^diff --git a\/.* b\/(.*)$/m.exec(file) ??
    []
  return name ?? ''
}

/** Says what the rows of a diff do not show. */
function remarkOn(file: string): string {
  const [, change] = /^(new|deleted) file mode /m.exec(file) ?? []
  const isBinary = /^(?:Binary files |GIT binary patch$)/m.test(file)
  const [, mode] = /^new mode (\d+)$/m.exec(file) ?? []
  return [change, isBinary ? 'binary' : '', mode === undefined ? '' : `mode ${mode}`]
    .filter(Boolean)
    .join(' · ')
}
