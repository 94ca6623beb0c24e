import { readSessionId } from '../../../src/id.ts'
import type { ContentBlock } from '../../../src/message.ts'
import type { Session } from '../../../src/session.ts'
import { assistant, messageId, text, timestamp, toolResult, user } from '../messages/messages.ts'

/** A key of a known shape. */
export const secret = 'sk-ant-api03-AbCdEf0123456789AbCdEf'

/** Markup that would run a script, load something, or close what it stands in. */
const markup =
  '<script>ran()</script><img src=x onerror="ran()"></p></code></pre></div></details></style></title><svg/onload=ran()><!--'

/** Characters that act on a screen, reorder text, or are half of one. */
const unseen = '\u001b[31mred\u001b[0m \u202egnp\u2066 \ud83d.'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A session whose every text is hostile. */
export function hostileSession(): Session {
  const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: pixel }
  const forged: ContentBlock = { type: 'image', mimeType: 'image/svg+xml" onload="ran()', data: `"><script>` }
  const paper: ContentBlock = {
    type: 'document',
    mimeType: 'application/pdf',
    data: 'JVBERg==',
    name: markup,
  }
  const links = [
    '[a](javascript:ran()) [b](JaVaScRiPt&#58;ran()) ![c](https://example.com/c.png) <javascript:ran()>',
    '[d](https://example.com/?a="b"&c=<d>) [e](data:text/html,x) &#x202e; &lt;b&gt;',
  ]
  return {
    id: readSessionId('hostile'),
    title: `Title ${markup}`,
    systemPrompt: '',
    createdAt: timestamp,
    updatedAt: '2026-02-18T12:34:56.000Z',
    cwd: `/home/${markup}`,
    usage: { inputTokens: 12_345, outputTokens: 678 },
    costUsd: 0.0123,
    messages: [
      {
        ...user(image, forged, paper, text(`Prompt ${markup} ${unseen} ${secret}`)),
        metadata: { attached: markup },
      },
      {
        ...assistant(
          { type: 'thinking', thinking: `Thought ${markup}` },
          text(
            [
              `Reply ${markup}`,
              '-->',
              ...links,
              `\`\`\`html" onclick="ran()\n${markup}\n\`\`\``,
              `| ${markup} |\n| --- |\n| ${unseen} |`,
              '```\nopen',
            ].join('\n\n'),
          ),
          { type: 'tool_call', id: 'c1', name: markup, arguments: { command: `${markup}\n${secret}` } },
          { type: 'tool_call', id: 'c2', name: 'edit', arguments: { path: markup } },
          { type: 'tool_call', id: 'c3', name: 'fetch', arguments: null, argumentsRaw: `{"url": ${markup}` },
        ),
        model: markup,
        stopReason: 'length',
      },
      {
        ...toolResult('c2', text('Edited.')),
        details: { diff: `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n ${markup}\n-old ${unseen}\n+new ${markup}\n` },
      },
      { ...toolResult('c1', text(`${markup}\n\`\`\`\`\n${unseen}`), image), isError: true },
      { ...user(text(`Second ${markup}`)), id: messageId(4) },
      { ...assistant(text('Done.')), id: messageId(5), model: 'other' },
    ],
  }
}
