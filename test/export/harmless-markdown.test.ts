import { Lexer, type Token, walkTokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { harmlessMarkdown } from '../../src/export/harmless-markdown.ts'

/** Returns the HTML, images, references to characters, and links to anything but pages in Markdown. */
function actingIn(markdown: string): readonly string[] {
  const acting: string[] = []
  void walkTokens(new Lexer().lex(markdown), (token: Token) => {
    const isLink = token.type === 'link' && !/^https:/.test(String('href' in token && token.href))
    const isHidden = token.type === 'text' && /\u202e/.test(String('text' in token && token.text))
    if (token.type === 'html' || token.type === 'image' || isLink || isHidden) acting.push(token.raw)
  })
  return acting
}

describe('Markdown of a model', () => {
  it.each([
    '# A title\n\nText with *emphasis*, `<code>` and a [link](https://example.com/?a=1&b=2).',
    '1. one\n   ```html\n   <b>bold</b>\n   ```\n2. two\n\n| a | b |\n| - | - |\n| 1 | `<i>` |',
    '> quoted\n> twice\n\n---\n\n<https://example.com> and ann@example.com, 1 &lt; 2',
    '```ts\nconst a = "<script>"\n```',
    '[a]: https://example.com\n\nSee [a].',
  ])('stays as it is if nothing in it acts: %j', (text) => {
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
    [
      '![a ![b](https://example.com/b.png)](https://example.com/a.png)',
      '\\!\\[a \\!\\[b\\](https://example.com/b.png)\\](https://example.com/a.png)',
    ],
    ['![<img src=x>](https://example.com/a.png)', '\\!\\[\\<img src=x>\\](https://example.com/a.png)'],
    ['![a](https://example.com/a.png "&#x202e;")', '\\!\\[a\\](https://example.com/a.png "\\&#x202e;")'],
    ['[a](https://example.com/ "&#x202e;")', '\\[a\\](https://example.com/ "\\&#x202e;")'],
    ['[a]\n\n[a]: https://example.com/?&#x202e;', '\\[a\\]\n\n\\[a\\]: https://example.com/?\\&#x202e;'],
    ['![a](data:text/html,x)', '\\!\\[a\\](data:text/html,x)'],
    ['[<b>x</b>](https://example.com)', '[\\<b>x\\</b>](https://example.com)'],
    ['a &#x202e; &rlm; b', 'a \\&#x202e; \\&rlm; b'],
  ])('has what would act escaped: %j', (text, expected) => {
    expect(harmlessMarkdown(text)).toBe(expected)
    expect(actingIn(expected)).toEqual([])
  })

  it('is closed where it leaves a fence open', () => {
    expect(harmlessMarkdown('a\n\n~~~~js\nconst b')).toBe('a\n\n~~~~js\nconst b\n~~~~')
    expect(harmlessMarkdown('```')).toBe('```\n```')
  })

  it.each([
    ['is nested too deeply', '> '.repeat(20_000)],
    ['is too long', '[x]('.repeat(30_000)],
  ])('is fenced if it %s to be parsed', (_, text) => {
    expect(harmlessMarkdown(text)).toBe(`\`\`\`text\n${text.trimEnd()}\n\`\`\``)
  })

  const hostile =
    '![a](https://example.com/a.png) ![b][r] [c](javascript:ran()) \\[d](javascript:ran()) \\\\![e](x.png) `<b>` <i>f</i> <javascript:ran()> &#x202e;'
  const long = `${'words '.repeat(1_000)}${hostile}`

  it.each([
    ['a paragraph', long],
    ['a heading', `# ${long}`],
    ['a list', `- ${long}\n  ${hostile}`],
    ['a quote', `> ${long}\n> ${hostile}`],
    ['a table', `| a |\n| - |\n| ${long} \\| |`],
    ['emphasis', `**${long}**`],
  ])('has what would act escaped in %s of any length', (_, text) => {
    const written = harmlessMarkdown(`${text}\n\n[r]: https://example.com/b.png`)
    expect(actingIn(written)).toEqual([])
    expect(written).toContain('words words')
  })
})
