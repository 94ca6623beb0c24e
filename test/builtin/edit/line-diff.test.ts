import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unifiedDiff } from '../../../src/builtin/edit/line-diff.ts'

it('shows three lines around each change, and one hunk for changes close together', () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `${i + 1}\n`)
  const before = numbers.join('')
  const after = numbers.with(4, 'five\n').with(10, 'eleven\n').toSpliced(24, 1).join('')
  expect(unifiedDiff('n', before, after)).toBe(
    [
      '--- a/n\n+++ b/n\n@@ -2,13 +2,13 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n-11\n+eleven\n 12\n 13\n 14\n',
      '@@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n',
    ].join(''),
  )
})

it('is empty for equal texts, and marks a missing newline at the end', () => {
  expect(unifiedDiff('n', 'a\n', 'a\n')).toBe('')
  expect(unifiedDiff('n', 'a', 'a\n')).toBe(
    '--- a/n\n+++ b/n\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
  )
  expect(unifiedDiff('n', '', 'a\n')).toBe('--- a/n\n+++ b/n\n@@ -0,0 +1,1 @@\n+a\n')
})

it('is one change if the texts have too little in common', () => {
  const many = (mark: string) => Array.from({ length: 3_000 }, (_, i) => `${mark}${i}\n`).join('')
  const diff = unifiedDiff('n', `same\n${many('a')}`, `same\n${many('b')}`)
  expect(diff.startsWith('--- a/n\n+++ b/n\n@@ -1,3001 +1,3001 @@\n same\n-a0\n')).toBe(true)
})

it('lets git apply turn one text into the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-diff-'))
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 25 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => lines.join('\n') + end)
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff('n', before, after)
        writeFileSync(join(folder, 'n'), before)
        if (diff !== '')
          execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: folder, input: diff, stdio: 'pipe' })
        expect(readFileSync(join(folder, 'n'), 'utf8')).toBe(after)
      }),
      { numRuns: 60 },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
