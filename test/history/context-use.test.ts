import { expect, it } from 'vitest'
import { contextTokensOf } from '../../src/history/context-use.ts'
import type { Message } from '../../src/message.ts'
import { noUsage } from '../../src/usage.ts'
import { assistant, messageId, text, toolResult, user } from '../support/messages/messages.ts'

const answer = assistant(text('Done.'))
const summary = { ...user(text('a summary')), metadata: { compacted_through: messageId(2) } }

it.each<[string, readonly Message[], number | undefined]>([
  ['all tokens of the last answer', [user(text('go')), answer, toolResult('c', text('ok'))], 192],
  ['nothing before the first answer', [user(text('go'))], undefined],
  ['nothing if the server counts no tokens', [{ ...answer, usage: noUsage }], undefined],
  ['nothing once the history was compacted', [answer, summary], undefined],
  [
    'the answer after a compaction',
    [answer, summary, { ...answer, usage: { ...noUsage, inputTokens: 7 } }],
    7,
  ],
])('the context in use is %s', (_, messages, tokens) => {
  expect(contextTokensOf(messages)).toBe(tokens)
})
