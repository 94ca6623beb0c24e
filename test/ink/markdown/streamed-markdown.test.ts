import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSyntax } from '../../../src/ink/code/highlight.ts'
import { StreamedMarkdown } from '../../../src/ink/markdown/streamed-markdown.ts'
import { themes } from '../../../src/ink/rows/theme.ts'

const text =
  '# One\n\nA **b** `c`\nand on\n\n- x\n- y\n\n```ts\nconst a = `open\n$1`\n```\n\n> said\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nEnd'

async function drawn(deltas: readonly string[], loads = { count: 0 }): Promise<string> {
  const markdown = new StreamedMarkdown({
    theme: themes.dark,
    columns: () => 40,
    loadSyntax: async () => {
      loads.count++
      return createSyntax()
    },
  })
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
