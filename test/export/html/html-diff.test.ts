import { expect, it } from 'vitest'
import { diffHtml } from '../../../src/export/html/html-diff.ts'

const diffOf = (before: string, after: string) =>
  `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-${before}\n+${after}\n`

const rowsOf = (diff: string) => [...diffHtml(diff).matchAll(/data-n="1">(.*)/g)].map(([, row]) => row)

it.each([
  [
    'the changed words',
    'if (a < 1) go()',
    'if (b < 1) go()',
    'if (<b>a</b> &lt; 1) go()',
    'if (<b>b</b> &lt; 1) go()',
  ],
  ['words that only one line has', 'go()', 'await go()', 'go()', '<b>await </b>go()'],
  ['no words where little of the line stayed', 'one < two', '3 < 4', 'one &lt; two', '3 &lt; 4'],
])('a diff marks %s', (_, before, after, old, now) => {
  expect(rowsOf(diffOf(before, after))).toEqual([`- ${old}`, `+ ${now}`])
})
