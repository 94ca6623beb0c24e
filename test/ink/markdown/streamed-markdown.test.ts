import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSyntax } from '../../../src/ink/code/highlight.ts'
import { StreamedMarkdown } from '../../../src/ink/markdown/streamed-markdown.ts'
import { themes } from '../../../src/ink/rows/theme.ts'

const text =
  '# One\n\nA **b** `c`\nand on\n\nOne *two three* four `five six` seven [eight](https://example.com/nine) ten eleven **twelve thirteen** fourteen\nfifteen\n\n- a point that fills one row, and then another one\n\n- x\n- y\n\n```ts\nconst a = `open\n$1`\n```\n\n> said\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nEnd'

const open = (loads = { count: 0 }) =>
  new StreamedMarkdown({
    theme: themes.dark,
    columns: () => 40,
    loadSyntax: async () => {
      loads.count++
      return createSyntax()
    },
  })

async function drawn(deltas: readonly string[], loads = { count: 0 }): Promise<string> {
  const markdown = open(loads)
  let rows = ''
  for (const delta of deltas) rows += await markdown.add(delta)
  return rows + markdown.end()
}

it('draws the same rows however a text is cut into deltas, and never draws one twice', async () => {
  const whole = await drawn(text.split(/(?<=\n)/))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 12 }), async (cuts) => {
      const sorted = [0, ...cuts, text.length].toSorted((a, b) => a - b)
      const deltas = sorted.slice(1).map((end, i) => text.slice(sorted[i], end))
      expect((await drawn(deltas)).replaceAll('\u001b', '')).toBe(whole.replaceAll('\u001b', ''))
    }),
  )
})

it('draws each row of a long paragraph as soon as it is full', async () => {
  const markdown = open()
  const words = 'A sentence that says *one thing* in `eight words`. '.repeat(6)
  const printed: string[] = []
  for (const delta of words.split(/(?<= )/)) printed.push(await markdown.add(delta))
  const rows = printed.join('').split('\n').slice(0, -1)
  expect(rows.length).toBeGreaterThan(4)
  expect(printed.filter((rows) => rows !== '').length).toBeGreaterThan(2)
  const all = [...rows, markdown.end()].map(stripVTControlCharacters).join(' ')
  expect(all.replaceAll(/\s+/g, ' ').trim()).toBe(words.replaceAll(/[*`]/g, '').trim())
})

it.each([
  ['emphasis that is open', 'So **this is all of it and goes on without an end for a while'],
  ['code that is open', 'So `this is all of it and goes on without an end for a while'],
  [
    'a link that is open',
    'So [this is all of it and goes on](https://example.com/without an end for a while',
  ],
])('waits for the end of %s', async (_, text) => {
  const markdown = open()
  expect(stripVTControlCharacters(await markdown.add(text))).not.toContain('all')
})

it('waits for the whole of a table, whose columns may grow', async () => {
  const markdown = open()
  expect(await markdown.add(`| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(20)}`)).toBe('')
  expect(await markdown.add('\n')).toContain('1')
})

it('draws a paragraph of 180,000 characters as it comes', async () => {
  const markdown = open()
  let rows = 0
  for (let i = 0; i < 20_000; i++) rows += (await markdown.add('word and ')).length
  expect(rows + markdown.end().length).toBeGreaterThan(180_000)
})

it('loads the highlighter once, and only for code with a language', async () => {
  const loads = { count: 0 }
  await drawn(['```\nplain\n```\n', '| a |\n'], loads)
  expect(loads.count).toBe(0)
  await drawn([text, text], loads)
  expect(loads.count).toBe(1)
})

it('lets no control character of a text through', async () => {
  expect(await drawn(['a \u001b[31mred\u0007 b'])).not.toMatch(/\p{Cc}(\[31m| b)/u)
})
