import { expect, it } from 'vitest'
import { drawWholeDiff } from '../../src/ink/diff.ts'
import { plain } from './screen-text.ts'

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
