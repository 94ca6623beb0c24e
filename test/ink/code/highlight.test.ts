import { describe, expect, it } from 'vitest'
import { CodeLines } from '../../../src/ink/code/code-lines.ts'
import type { Syntax } from '../../../src/ink/code/code-syntax.ts'
import { createSyntax } from '../../../src/ink/code/highlight.ts'
import { textEntries } from '../../../src/ink/markdown/draft.ts'
import { type Line, lineText } from '../../../src/ink/rows/line.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'

const syntax = createSyntax()

/** Draws a Markdown text, of which `batch` entries become final at a time. */
function drawn(text: string, batch = Number.POSITIVE_INFINITY, colors: Syntax = syntax): Line[] {
  const entries = textEntries(text, 80)
  const code = new CodeLines()
  return entries.flatMap((_, i) => {
    const end = (Math.floor(i / batch) + 1) * batch
    const entry = code.dressed(entries.slice(0, Math.min(entries.length, end)), i, colors)
    return entry === undefined
      ? []
      : drawEntry(entry, 80, entries[i - 1], { syntax: colors, outputKey: '^O' })
  })
}

/** Lists the coloured words, each with its colour. */
const colored = (rows: readonly Line[]) =>
  rows
    .flat()
    .flatMap(({ text, style }) => (style?.color === undefined ? [] : [`${style.color} ${text.trim()}`]))

describe('a code block', () => {
  it('has the colours of its language, by any of its names', () => {
    for (const name of ['ts', 'TypeScript', '{.ts}', 'tsx title="a"']) {
      expect(colored(drawn(`\`\`\`${name}\nconst a = 'b' // c\n\`\`\``))).toEqual([
        'keyword const',
        "string 'b'",
        'comment // c',
      ])
    }
  })

  it('is plain in an unknown language, and without a highlighter', () => {
    expect(colored(drawn('```klingon\nconst a = 1\n```'))).toEqual([])
    expect(colored(drawn('```\nconst a = 1\n```'))).toEqual([])
  })

  it('carries comments and strings over its lines, however they arrive', () => {
    const comment = Array.from({ length: 400 }, (_, i) => ` * const line ${i} isn't code`)
    const text = `\`\`\`ts\n/*\n${comment.join('\n')}\n */\nconst a = \`b\nreturn\n\`\nconst d = 1\n\`\`\``
    const whole = drawn(text)
    for (const batch of [1, 7, 300]) expect(drawn(text, batch)).toEqual(whole)
    const looks = whole.map((row) => row.find(({ style }) => style?.color !== undefined)?.style?.color)
    const first = looks.indexOf('comment')
    expect(looks.slice(first, first + 402)).toEqual(Array.from({ length: 402 }, () => 'comment'))
    expect(looks.slice(first + 402)).toEqual(['keyword', 'string', 'string', 'keyword'])
  })

  it('does not begin in the comment that the last block left open', () => {
    expect(colored(drawn('```ts\n/* open\n```\n\n```ts\nconst a\n```'))).toEqual([
      'comment /* open',
      'keyword const',
    ])
  })

  it('keeps its text', () => {
    const code = ['if (a) {', '\tb = "日本"', '', '  <b>&amp;</b>', '}']
    const rows = drawn(`\`\`\`js\n${code.join('\n')}\n\`\`\``).map(lineText)
    const margin = rows.at(-1)?.search(/\S/) ?? 0
    const shown = rows.slice(-code.length).map((row) => row.slice(margin))
    expect(shown).toEqual(code.map((one) => one.replace('\t', '    ')))
  })

  it('is highlighted in batches, each with a bounded number of earlier lines', () => {
    const sizes: number[] = []
    const counting: Syntax = {
      ...syntax,
      lines: (code) => {
        sizes.push(code.length)
        return code.split('\n').map((text) => ({ spans: [{ text }], isOpen: false }))
      },
    }
    const lines = Array.from({ length: 2_000 }, (_, i) => `const name_${i} = ${i}`)
    drawn(`\`\`\`ts\n${lines.join('\n')}\n\`\`\``, undefined, counting)
    expect(sizes.length).toBeLessThan(20)
    expect(Math.max(...sizes)).toBeLessThan(10_000)
  })
})
