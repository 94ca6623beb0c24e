import { describe, expect, it } from 'vitest'
import { harmlessMarkdown } from '../../src/export/harmless-markdown.ts'

describe('Markdown of a model', () => {
  it.each([
    '# A title\n\nText with *emphasis*, `<code>` and a [link](https://example.com/?a=1&b=2).',
    '1. one\n   ```html\n   <b>bold</b>\n   ```\n2. two\n\n| a | b |\n| - | - |\n| 1 | `<i>` |',
    '> quoted\n> twice\n\n---\n\n<https://example.com> and ann@example.com, 1 &lt; 2',
    '```ts\nconst a = "<script>"\n```',
    '[a]: https://example.com\n\nSee [a].',
  ])('is kept as it is if it only shows something: %j', (text) => {
    expect(harmlessMarkdown(text)).toBe(text)
  })

  it.each([
    ['a <b>bold</b> word', 'a \\<b>bold\\</b> word'],
    ['`<i>` <i>x</i>', '`<i>` \\<i>x\\</i>'],
    ['<script>\nran()\n</script>', '\\<script>\nran()\n\\</script>'],
    ['- a\n- <img src=x>', '- a\n- \\<img src=x>'],
    ['> <details>\n> text', '> \\<details>\n> text'],
    ['| <b> | c |\n| - | - |\n| 1 | 2 |', '| \\<b> | c |\n| - | - |\n| 1 | 2 |'],
    ['1 <svg/onload=ran()>', '1 \\<svg/onload=ran()>'],
    ['[a](javascript:ran())', '\\[a\\](javascript:ran())'],
    ['[a][r]\n\n[r]: data:text/html,x', '\\[a\\]\\[r\\]\n\n\\[r\\]: data:text/html,x'],
    ['<javascript:ran()>', '\\<javascript:ran()>'],
    ['![a](https://example.com/a.png)', '\\![a](https://example.com/a.png)'],
    ['![a](data:text/html,x)', '\\!\\[a\\](data:text/html,x)'],
    ['[<b>x</b>](https://example.com)', '[\\<b>x\\</b>](https://example.com)'],
    ['a &#x202e; &rlm; b', 'a \\&#x202e; \\&rlm; b'],
  ])('shows what would act: %j', (text, expected) => {
    expect(harmlessMarkdown(text)).toBe(expected)
  })

  it('is closed where it leaves a fence open', () => {
    expect(harmlessMarkdown('a\n\n~~~~js\nconst b')).toBe('a\n\n~~~~js\nconst b\n~~~~')
    expect(harmlessMarkdown('```')).toBe('```\n```')
  })

  it.each([['> '.repeat(20_000)], ['[x]('.repeat(30_000)]])(
    'is fenced if it is too long or too deep to be parsed',
    (text) => {
      expect(harmlessMarkdown(text)).toBe(`\`\`\`text\n${text.trimEnd()}\n\`\`\``)
    },
  )
})
