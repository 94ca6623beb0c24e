import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { addText, type Block, type Blocks, endText, noBlocks } from '../../../src/ink/markdown/blocks.ts'
import { drawBlock } from '../../../src/ink/markdown/drawn-markdown.ts'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import { growth } from '../../support/cost.ts'
import { cutInto } from '../../support/vendors/deltas.ts'
import { delta, emptyScreen, fold } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const pieces = fc.constantFrom(
  '# Title\n',
  'some words ',
  'and **bold** `code`\n',
  '\n',
  '- item\n',
  '  - nested\n',
  '1. first\n',
  '```ts\n',
  'const a = 1\n',
  '```\n',
  '> said\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '---\n',
  '[x](http://a.b)',
  '日本語 ',
)
const markdown = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(''))

/** Returns all blocks of a text that streams in these deltas. */
function blocksOf(deltas: readonly string[]): readonly Block[] {
  let blocks: Blocks = noBlocks
  const whole: Block[] = []
  for (const delta of deltas) {
    const step = addText(blocks, delta)
    blocks = step.blocks
    whole.push(...step.whole)
  }
  return [...whole, ...endText(blocks)]
}

const draw = (text: string, width = 60) => plain(blocksOf([text]).flatMap((block) => drawBlock(block, width)))

describe('streaming Markdown', () => {
  it('gives the same blocks however it is split', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat({ max: 12 })), (text, cuts) => {
        expect(blocksOf(cutInto(text, cuts))).toEqual(blocksOf([text]))
      }),
    )
  })

  it('never changes a whole block', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, more) => {
        const { whole } = addText(noBlocks, text)
        expect(blocksOf([text, more]).slice(0, whole.length)).toEqual(whole)
      }),
    )
  })

  it('is never drawn wider than the screen', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 8, max: 60 }), (text, width) => {
        const rows = blocksOf([text]).flatMap((block) => drawBlock(block, width))
        expect(rows.filter((row) => columnsOfLine(row) > width)).toEqual([])
      }),
    )
  })
})

describe('a long open block', () => {
  const live = (text: string) =>
    plain(drawLive(fold(emptyScreen({ columns: 30, rows: 12 }), [delta(text)]))).slice(0, 4)

  it('shows its last lines, also those of a table', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `| ${i} | ${i * i} |`).join('\n')
    expect(live(`| n | square |\n|---|---|\n${rows}`)).toEqual([
      '  296 │ 87616',
      '  297 │ 88209',
      '  298 │ 88804',
      '  299 │ 89401',
    ])
    expect(live(`so: ${'word '.repeat(5_000)}end`).at(-1)).toMatch(/end$/)
  })

  it('is drawn at a cost that does not grow with it', async () => {
    const paragraphs = new Map(
      [6_250, 100_000].map((words) => [words, fold(emptyScreen(), [delta('word '.repeat(words))])]),
    )
    const draw = (words: number) => {
      for (let i = 0; i < 50; i++) drawLive(paragraphs.get(words) ?? emptyScreen())
    }
    draw(6_250)
    expect(await growth(draw, 100_000)).toBeLessThan(6)
  })
})

describe('Markdown on the screen', () => {
  it('shows headings, paragraphs and lists', () => {
    expect(
      draw(
        '# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n  - in it\n\n3. third\n4. fourth\n- [x] done',
      ),
    ).toEqual([
      'Title',
      '',
      'Some bold and code.',
      '',
      '• one',
      '• two',
      '  • in it',
      '',
      '3. third',
      '4. fourth',
      '☑ done',
    ])
  })

  it('shows code verbatim, also if it holds Markdown or another kind of fence', () => {
    expect(draw('Run:\n```sh\n# not a title\n  ls *\n~~~\n```\nDone.')).toEqual([
      'Run:',
      '  # not a title',
      '    ls *',
      '  ~~~',
      'Done.',
    ])
  })

  it('wraps code below its own indentation, in a narrow window too, and keeps every character', () => {
    const code = 'if (ready) {\n    return results.map((one) => one.name)\n}\n                deeper'
    expect(draw(`\`\`\`ts\n${code}\n\`\`\``, 30)).toEqual([
      '  if (ready) {',
      '      return results.map((one)',
      '        => one.name)',
      '  }',
      '                  deeper',
    ])
    expect(draw(`- say\n\n  \`\`\`\n  ${code.replaceAll('\n', '\n  ')}\n  \`\`\``, 18)).toContain(
      '           deeper',
    )
    for (const columns of [1, 2, 5, 11, 18]) {
      const rows = draw(`\`\`\`\n${code}\n\`\`\``, columns)
      expect(rows.join('').replace(/\s/g, '')).toBe(code.replace(/\s/g, ''))
    }
  })

  it('aligns the columns of a table, and wraps its cells on a narrow screen', () => {
    const table = '| name | what |\n|---|---|\n| a | short |\n| 日本 | rather long words |'
    expect(draw(table)).toEqual([
      'name │ what',
      '─────┼──────────────────',
      'a    │ short',
      '日本 │ rather long words',
    ])
    expect(draw(table, 16)).toEqual([
      'name │ what',
      '─────┼──────────',
      'a    │ short',
      '─────┼──────────',
      '日本 │ rather',
      '     │ long',
      '     │ words',
    ])
  })

  it('aligns the cells of a column as its ruler says', () => {
    expect(
      draw('| left | mid | right |\n|:---|:-:|---:|\n| a | b | 1 |\n| b | long word | 12345678 |'),
    ).toEqual([
      'left │    mid    │    right',
      '─────┼───────────┼─────────',
      'a    │     b     │        1',
      'b    │ long word │ 12345678',
    ])
  })

  it('shows the target of a link and leaves an image as text', () => {
    expect(draw('[docs](https://a.example) https://b.example ![x](https://c.example/?q=1)')).toEqual([
      'docs (https://a.example) https://b.example',
      '![x](https://c.example/?q=1)',
    ])
  })

  it('shows quotes, rules and HTML as text', () => {
    expect(draw('> one\n> two\n\n---\n\n<b>x</b> &lt;y&gt;')).toEqual([
      '│ one',
      '│ two',
      '',
      '─'.repeat(40),
      '',
      '<b>x</b> <y>',
    ])
  })
})
