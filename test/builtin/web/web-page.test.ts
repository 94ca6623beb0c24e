import { describe, expect, it } from 'vitest'
import { toMarkdown } from '../../../src/builtin/web/web-page.ts'

const url = 'https://example.com/docs/page'
const markdown = (html: string) => toMarkdown(html, url)

describe('a page as Markdown', () => {
  it('has headings, lists, quotes and emphasis', async () => {
    const html =
      '<h2>Use</h2><p>It is <em>quite</em> <b>good</b>.<ul><li>one<li>two</ul><blockquote>said</blockquote>'
    expect(await markdown(html)).toBe('## Use\n\nIt is _quite_ **good**.\n\n-   one\n-   two\n\n> said')
  })

  it('has links and images that work from anywhere', async () => {
    const html = [
      '<a href="../a?b=c">up</a> <a href="#here">here</a> <a href="javascript:x()">run</a>',
      '<a href="https://other.test"><h3>in\na link</h3></a><a href="/empty"></a>',
      '<img src="p.png" alt="pic"><img src="data:image/png;base64,AAAA" alt="drawn"><img src="q.png">',
    ]
    expect((await markdown(html.join('<hr>'))).split('\n\n* * *\n\n')).toEqual([
      '[up](https://example.com/a?b=c) here run',
      '[in a link](https://other.test/)',
      '![pic](https://example.com/docs/p.png)drawn',
    ])
  })

  it('has code unchanged, in a fence that it cannot close', async () => {
    const html = [
      '<pre><code class="language-ts">if (a &lt; b) {\n  c()\n}\n</code></pre>',
      '<pre>  plain\n</pre><pre>```\nx\n```</pre>',
    ]
    expect(await markdown(html.join(''))).toBe(
      '```ts\nif (a < b) {\n  c()\n}\n```\n\n```\n  plain\n```\n\n````\n```\nx\n```\n````',
    )
  })

  it('has tables with a head and empty cells', async () => {
    const rows = '<tbody><tr><td>1</td><td></td></tr><tr><td>3<p>x</p></td><td><b>4</b></td></tr></tbody>'
    const table = ['| A | B |', '| --- | --- |', '| 1 |  |', '| 3 x | **4** |'].join('\n')
    expect(await markdown(`<table><thead><tr><th>A</th><th>B</th></tr></thead>${rows}</table>`)).toBe(table)
    expect(await markdown('<table><tr><td>1</td></tr><tr><td>2</td></tr></table>')).toBe(
      '| 1 |\n| --- |\n| 2 |',
    )
  })

  it('leaves out what readers do not see', async () => {
    const html = [
      '<script>let a = "<p>x</p>"</script><style>p{}</style><template>t</template><noscript>n</noscript>',
      '<svg><text>s</text></svg><p hidden>h</p><p style="color: red; Display: None">i</p><button>b</button>',
      '<SCRIPT src=x></SCRIPT ><p>seen</p><script>unended',
    ]
    expect(await markdown(html.join(''))).toBe('seen')
  })

  it('has a note if only its first part is shown', async () => {
    const text = await markdown(`<p>${'word '.repeat(200_000)}</p>`)
    expect(text.slice(0, 10)).toBe('word word ')
    expect(text.slice(-50)).toMatch(/\n\n\[this is only the first part of the page\]$/)
  })

  it.each([
    ['divisions', '<div>'.repeat(1_000)],
    ['quotes', '<blockquote>'.repeat(200)],
    ['implicitly closed elements', '<p><dd><li>'.repeat(1_000)],
  ])('is bare text if nested too deeply: %s', async (_, deep) => {
    expect(await markdown(`<title>Deep</title>\n${deep}<b>text</b>`)).toBe('Deep\ntext')
  })

  it('may have elements of any name', async () => {
    expect(await markdown('<constructor><p>one</constructor><p>two')).toBe('one\n\ntwo')
  })

  it('may have many siblings without end tags', async () => {
    expect(await markdown(`<ul>${'<li><p>x'.repeat(500)}</ul><p>${'<p>y'.repeat(500)}`)).toMatch(/^- {3}x\n/)
    expect(await markdown(`<table>${'<tr><td>1<td>2'.repeat(500)}</table>`)).toMatch(/^\| 1 \| 2 \|\n\| --- /)
  })
})
