import fc from 'fast-check'
import { Lexer, type Token, walkTokens } from 'marked'
import { describe, expect } from 'vitest'
import { harmlessMarkdown } from '../../src/export/harmless-markdown.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'

/** Returns the HTML, images, references to characters, and links to anything but pages in Markdown. */
function actingIn(markdown: string): readonly string[] {
  const acting: string[] = []
  void walkTokens(new Lexer().lex(markdown), (token: Token) => {
    const isLink =
      token.type === 'link' && !/^(?:https?:|mailto:)/.test(String('href' in token && token.href))
    const isHidden = token.type === 'text' && /\u202e/.test(String('text' in token && token.text))
    if (token.type === 'html' || token.type === 'image' || isLink || isHidden) acting.push(token.raw)
  })
  return acting
}

/** Pieces of Markdown that act together, or keep each other from it. */
const pieces = [
  ...[
    '![',
    '[',
    '](',
    ')',
    '](x)',
    '](javascript:ran())',
    '](https://example.com/a)',
    '[r]',
    '\\',
    '`',
    '``',
  ],
  ...['<b>', '<i', '>', '<!--', '-->', '<?', '<a href="', '" x>', '<javascript:ran()>', '&#x202e;', '&lt;'],
  ...[
    'https://example.com/',
    '<https://example.com/&#x202e;>',
    'www.example.com',
    'ann@example.com',
    ' ',
    'a',
  ],
  ...['\n', '\n\n', '    ', '\t', '> ', '- ', '1. ', '# ', '| ', '|\n|-|\n|', '===\n', '~~~\n', '```\n'],
  ...['\n\n[r]: x.png\n', '\n[r]: https://example.com\n', '*', '**', '_', '~~', '!'],
]

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
    ['a <b>bold</b> word', 'a &lt;b>bold&lt;/b> word'],
    ['`<i>` <i>x</i>', '`<i>` &lt;i>x&lt;/i>'],
    ['<script>\nran()\n</script>', '&lt;script>\nran()\n&lt;/script>'],
    ['- a\n- <img src=x>', '- a\n- &lt;img src=x>'],
    ['> <details>\n> text', '> &lt;details>\n> text'],
    ['| <b> | c |\n| - | - |\n| 1 | 2 |', '| &lt;b> | c |\n| - | - |\n| 1 | 2 |'],
    ['1 <svg/onload=ran()>', '1 &lt;svg/onload=ran()>'],
    ['[a](javascript:ran())', '\\[a\\](javascript:ran())'],
    ['[a][r]\n\n[r]: data:text/html,x', '\\[a\\]\\[r\\]\n\n\\[r\\]: data:text/html,x'],
    ['<javascript:ran()>', '&lt;javascript:ran()>'],
    ['![a](https://example.com/a.png)', '\\![a](https://example.com/a.png)'],
    [
      '![a ![b](https://example.com/b.png)](https://example.com/a.png)',
      '\\!\\[a \\!\\[b\\](https\\://example.com/b.png)\\](https\\://example.com/a.png)',
    ],
    ['![<img src=x>](https://example.com/a.png)', '\\!\\[&lt;img src=x>\\](https\\://example.com/a.png)'],
    ['![a](https://example.com/a.png "&#x202e;")', '\\!\\[a\\](https\\://example.com/a.png "&amp;#x202e;")'],
    ['[a](https://example.com/ "&#x202e;")', '\\[a\\](https\\://example.com/ "&amp;#x202e;")'],
    ['[a]\n\n[a]: https://example.com/?&#x202e;', '\\[a\\]\n\n\\[a\\]: https\\://example.com/?&amp;#x202e;'],
    ['<a href="https://example.com">`<i>`', '&lt;a href="https\\://example.com">`<i>`'],
    ['[ [a](javascript:b) ](javascript:c)', '\\[ \\[a\\](javascript:b) \\](javascript:c)'],
    ['[r]: x.png\n    <i>', '\\[r\\]: x.png\n\n    <i>'],
    ['- ~~~\n```\n<i>\n```', '- ~~~\n```\n<i>\n```'],
    ['![a](data:text/html,x)', '\\!\\[a\\](data:text/html,x)'],
    ['[<b>x</b>](https://example.com)', '[&lt;b>x&lt;/b>](https://example.com)'],
    ['a &#x202e; &rlm; b', 'a &amp;#x202e; &amp;rlm; b'],
    ['https://example.com/<img src=x>', '<https://example.com/>&lt;img src=x>'],
    ['https://example.com/&rlm; a', '<https://example.com/>&amp;rlm; a'],
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

  sizedIt('never acts, whatever stands together', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        expect(actingIn(harmlessMarkdown(parts.join('')))).toEqual([])
      }),
      { numRuns: sized(3_000, 600) },
    )
  })
})
