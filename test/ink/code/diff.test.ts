import { describe, expect, it } from 'vitest'
import { drawFoldedDiff, drawWholeDiff } from '../../../src/ink/code/diff.ts'
import { createSyntax } from '../../../src/ink/code/highlight.ts'
import { columnsOfLine, type Line, paint } from '../../../src/ink/rows/line.ts'
import { themes } from '../../../src/ink/rows/theme.ts'
import { plain } from '../screen-text.ts'

const several = [
  'diff --git a/a.ts b/a.ts',
  'index 1..2 100644',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,2 +1,2 @@',
  ' const a = 1',
  '-const b = 2',
  '+const b = 3',
  'diff --git a/new.md b/new.md',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/new.md',
  '@@ -0,0 +1 @@',
  '+# New',
  'diff --git a/old.md b/old.md',
  'deleted file mode 100644',
  '--- a/old.md',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-# Old',
  'diff --git a/logo.png b/logo.png',
  'Binary files a/logo.png and b/logo.png differ',
  'diff --git a/run.sh b/run.sh',
  'old mode 100644',
  'new mode 100755',
  '',
].join('\n')

it('a diff of several files shows each below its name, also what has no lines', () => {
  expect(plain(drawWholeDiff(several, 40))).toEqual([
    '  a.ts',
    '  1   const a = 1',
    '  2 - const b = 2',
    '  2 + const b = 3',
    '  new.md new',
    '  1 + # New',
    '  old.md deleted',
    '  1 - # Old',
    '  logo.png binary',
    '  run.sh mode 100755',
  ])
})

it('a diff of one file needs no header of git', () => {
  expect(plain(drawWholeDiff('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n', 40))).toEqual([
    '  a',
    '  1 - x',
    '  1 + y',
  ])
})

const change = [
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,3 +1,3 @@',
  " const a = 'x'",
  '-const limit = 10',
  '+const limit = 20 // more',
  ' ',
].join('\n')

/** Lists the parts of a row that have this tint. */
const tintedWith = (row: Line | undefined, tint: string) =>
  (row ?? []).flatMap(({ text, style }) => (style?.tint === tint ? [text.trim()] : []))

describe('a changed line', () => {
  const rows = drawWholeDiff(change, 40, createSyntax()).slice(1)

  it('is tinted over the whole width, its changed words more', () => {
    expect(rows.map(columnsOfLine)).toEqual([19, 40, 40, 6])
    expect(tintedWith(rows[1], 'removed_word')).toEqual(['10'])
    expect(tintedWith(rows[2], 'added_word')).toEqual(['20', '', '// more'])
  })

  it('has the colours of its language', () => {
    const colors = rows.map((row) => row.flatMap(({ style }) => style?.color ?? []))
    expect(colors[0]).toEqual(['muted', 'keyword', 'string'])
    expect(colors[1]).toEqual(['muted', 'bad', 'keyword', 'number'])
  })

  it('can be told by its mark and colour in a theme without tints, and by its mark without colours', () => {
    expect(paint(rows[1] ?? [], themes.ansi)).toContain('\u001b[1;31m- ')
    expect(paint(rows[1] ?? [], themes.ansi)).toContain('\u001b[31;7m10')
    expect(paint(rows[1] ?? [], themes.none)).toMatch(/1m- .*\[7m10.{4}$/)
  })

  it('marks no words where a line became another one', () => {
    const other = change.replace('const limit = 20 // more', 'export default { some, other }')
    expect(tintedWith(drawWholeDiff(other, 60, createSyntax())[3], 'added_word')).toEqual([])
  })
})

describe('the diff of a finished call', () => {
  const added = (count: number, text = 'line') =>
    [
      '--- /dev/null',
      '+++ b/a.txt',
      `@@ -0,0 +1,${count} @@`,
      ...Array.from({ length: count }, () => `+${text}`),
    ].join('\n')

  it('is whole up to 20 rows, and folded above', () => {
    expect(drawFoldedDiff(added(20), 40)).toHaveLength(20)
    const folded = plain(drawFoldedDiff(added(46), 40))
    expect(folded).toHaveLength(13)
    expect(folded.at(-1)).toBe('  … 34 more rows   /diff')
  })

  it('stays small if its lines are long', () => {
    const folded = drawFoldedDiff(added(3, 'x'.repeat(300_000)), 40)
    expect(folded.length).toBeLessThan(40)
    expect(plain(folded.slice(-1))).toEqual(['  … 2 more rows   /diff'])
  })
})
