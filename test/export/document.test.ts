import { Lexer, type Token, walkTokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { exportParts } from '../../src/cli/wiring/session/session-export.ts'
import { readSessionId } from '../../src/id.ts'
import { createRedactor } from '../../src/redaction/redaction.ts'
import type { Session } from '../../src/session.ts'
import { assistant, messageId, text, timestamp, toolResult, user } from '../support/messages/messages.ts'
import { hostileSession, secret } from '../support/sessions/hostile-session.ts'

const conversation: Session = {
  id: readSessionId('small'),
  systemPrompt: 'You are pipe.',
  createdAt: timestamp,
  updatedAt: '2026-02-18T12:05:00.000Z',
  usage: { inputTokens: 1_500, outputTokens: 42 },
  costUsd: 0.5,
  messages: [
    {
      ...user(text('<environment>'), text('Fix it,\nplease')),
      metadata: { context: '1', attached: 'a.ts (1 kB)' },
    },
    assistant(
      { type: 'thinking', thinking: 'Look first.' },
      text('I *look*:\n\n```ts\nif (a < 1) return\n```'),
      { type: 'tool_call', id: 'c1', name: 'bash', arguments: { command: 'ls\npwd' } },
      { type: 'tool_call', id: 'c2', name: 'edit', arguments: { path: 'a.ts' } },
    ),
    {
      ...toolResult('c2', text('Edited.')),
      id: messageId(4),
      details: { diff: '--- a/a.ts\n+++ b/a.ts\n@@ -9,2 +9,2 @@\n one\n-a = 1\n+a = 2\n' },
    },
    { ...toolResult('c1', text('a.ts\n')), isError: true },
    { ...user(text('[summary]')), id: messageId(5), metadata: { compacted_through: messageId(1) } },
    { ...assistant(text('Done.')), id: messageId(6), model: 'other', stopReason: 'aborted' },
  ],
}

async function exported(session: Session, format: Parameters<typeof exportParts>[1]): Promise<string> {
  return [...(await exportParts(session, format, createRedactor([])))].join('')
}

describe('a document of a conversation', () => {
  it('is plain text', async () => {
    expect(await exported(conversation, 'txt')).toBe(`> Fix it,
> please
[attached a.ts (1 kB)]

I *look*:

\`\`\`ts
if (a < 1) return
\`\`\`

• bash ls pwd
  ✗ a.ts

• edit a.ts
  ✓ Edited.

[[summary]]

[replay/other]

Done.

[interrupted]

`)
  })

  it('is Markdown', async () => {
    expect(await exported(conversation, 'md')).toBe(`# Fix it, please

- Date: 2026-02-18 12:00 – 12:05 UTC
- Model: replay/script, replay/other
- Tokens: 1.5k in, 42 out
- Cost: $0.5000
- Session: small

## You

> Fix it,
> please
>
> *attached a.ts (1 kB)*

I *look*:

\`\`\`ts
if (a < 1) return
\`\`\`

✗ **bash** \`ls pwd\` · failed, 1 line

\`\`\`bash
ls
pwd
\`\`\`

\`\`\`text
a.ts
\`\`\`

✓ **edit** \`a.ts\` · +1 -1

\`\`\`diff
--- a/a.ts
+++ b/a.ts
@@ -9,2 +9,2 @@
 one
-a = 1
+a = 2
\`\`\`

*\\[summary\\]*

*replay/other*

Done.

*interrupted*

`)
  })

  it('is a page without scripts, with folded calls', async () => {
    const page = await exported(conversation, 'html')
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">`,
    )
    expect(page.slice(page.indexOf('<body>'))).toBe(`<body>
<header>
<h1>Fix it, please</h1>
<dl>
<div><dt>Date</dt><dd>2026-02-18 12:00 – 12:05 UTC</dd></div>
<div><dt>Model</dt><dd>replay/script, replay/other</dd></div>
<div><dt>Tokens</dt><dd>1.5k in, 42 out</dd></div>
<div><dt>Cost</dt><dd>$0.5000</dd></div>
<div><dt>Session</dt><dd>small</dd></div>
</dl>
</header>
<main>
<section>
<h2 id="p1"><a href="#p1">You</a> <time>2026-02-18 12:00</time></h2>
<div class="said">Fix it,
please</div>
<p class="remark">attached a.ts (1 kB)</p>
<details class="thinking">
<summary><span class="name">Thinking</span></summary>
<div class="body">
<p>Look first.</p>
</div>
</details>
<div class="reply">
<p>I <em>look</em>:</p>
<pre tabindex="0"><code><span class="k">if</span> (a &lt; <span class="n">1</span>) <span class="k">return</span></code></pre>
</div>
<details class="call failed">
<summary><span class="mark" aria-hidden="true">✗</span> <span class="name">bash</span> <span class="target">ls pwd</span> <span class="size">failed, 1 line</span></summary>
<div class="body">
<pre tabindex="0"><code><span class="t">ls</span>
<span class="t">pwd</span></code></pre>
<pre tabindex="0"><code>a.ts</code></pre>
</div>
</details>
<details class="call done">
<summary><span class="mark" aria-hidden="true">✓</span> <span class="name">edit</span> <span class="target">a.ts</span> <span class="size">+1 -1</span></summary>
<div class="body">
<pre class="diff" tabindex="0" style="--digits:2"><code><span class="row" data-n="9">  one
</span><span class="row del" data-n="10">- a = <b>1</b>
</span><span class="row add" data-n="10">+ a = <b>2</b>
</span></code></pre>
</div>
</details>
<p class="remark">[summary]</p>
<p class="speaker">replay/other</p>
<div class="reply">
<p>Done.</p>
</div>
<p class="remark">interrupted</p>
</section>
</main>
</body>
</html>
`)
  })
})

describe('a page', () => {
  it.each([
    ['1 &lt; 2 &amp; &amp;lt; "a"', '1 &lt; 2 &amp; &amp;lt; &quot;a&quot;'],
    ['a & b &#60; &copy;', 'a &amp; b &amp;#60; &amp;copy;'],
    ['`&lt;`', '<code>&amp;lt;</code>'],
    [
      '[a](https://example.com/?a=1&amp;b=2)',
      '<a href="https://example.com/?a=1&amp;b=2" rel="noreferrer noopener">a</a>',
    ],
  ])('shows what Markdown means: %j', async (markdown, html) => {
    const reply = assistant(text(markdown))
    const page = await exported({ ...conversation, messages: [reply] }, 'html')
    expect(page).toContain(`<div class="reply">\n<p>${html}</p>\n</div>`)
  })
})

/** Text that neither acts on a screen nor reorders. */
const plain = /^(?:[^\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]|\n|\t)*$/u

/** Every tag that a page may hold below its body. */
const ownTag =
  /^<(?:\/?(?:body|html|header|main|section|dl|dt|dd|div|h[1-6]|p|em|strong|del|code|pre|b|br|hr|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|details|summary|figure|figcaption|span|time|a)|(?:div|p|details|span) class="[a-z ]+"|div class="wide" tabindex="0"|h2 id="p\d+"|a href="#p\d+"|a href="https:\/\/[^\s"<>]+" rel="noreferrer noopener"|pre (?:class="diff" )?tabindex="0"(?: style="--digits:\d+")?|span class="[a-z ]+" (?:data-n="\d*"|aria-hidden="true")|img alt="" src="data:image\/png;base64,[A-Za-z0-9+/=]+")>$/

describe('a document of a hostile conversation', () => {
  it('is a page with no tag but its own', async () => {
    const page = await exported(hostileSession(), 'html')
    const tags = page.slice(page.indexOf('<body>')).match(/<[^>]*>?/g) ?? []
    expect(tags.filter((tag) => !ownTag.test(tag))).toEqual([])
    expect(page.slice(0, page.indexOf('<body>'))).toMatch(
      /<title>Title &lt;script&gt;[^<]*<\/title>\n<style>\n[^<]*<\/style>\n<\/head>\n$/,
    )
  })

  it('is Markdown without HTML, images and links that act', async () => {
    const acting: Token[] = []
    void walkTokens(new Lexer().lex(await exported(hostileSession(), 'md')), (token) => {
      const isLink = token.type === 'link' && !/^https:/.test(String('href' in token && token.href))
      if (token.type === 'html' || token.type === 'image' || isLink) acting.push(token)
    })
    expect(acting).toEqual([])
  })

  it.each(['html', 'md', 'txt', 'json'] as const)(
    'holds no secret and no hidden character: %s',
    async (format) => {
      const written = await exported(hostileSession(), format)
      expect(written).toContain('[redacted]')
      expect(written).not.toContain(secret)
      expect(written).toMatch(plain)
    },
  )
})
