import { expect, it } from 'vitest'
import { lost, outlineBranch, outlineContext, outlineMessage, readForeign } from './foreign.ts'
import {
  answer,
  asked,
  call,
  geminiLines,
  geminiSession,
  header,
  logged,
  said,
  set,
  words,
} from './gemini-lines.ts'

const looked = [
  'user: why does add fail?',
  'assistant: (Look\n\nFirst.) + Let me look. + read_file {"file_path":"add.js"}',
  'read_file: a - b',
  'assistant: It subtracts.',
]

it('a message that is written again is one message, and a result that stands twice one result', async () => {
  const session = await readForeign(geminiLines)
  const { agent, sourceId, damage, messages } = session
  expect({ agent, sourceId, damage }).toEqual({ agent: 'Gemini CLI', sourceId: geminiSession, damage: [] })
  expect(outlineBranch(session)).toEqual(looked)
  expect(messages[1]).toMatchObject({
    provider: 'gemini',
    model: 'gemini-2.5-flash',
    stopReason: 'tool_use',
    usage: { inputTokens: 90, outputTokens: 13, cacheReadTokens: 40, reasoningTokens: 4 },
  })
  expect(lost(session)).toEqual({
    'notes that the agent wrote for its model': 1,
    'notices of the agent itself': 1,
  })
})

it('the first versions wrote one document', async () => {
  const messages = geminiLines.slice(4)
  const text = JSON.stringify(
    { ...header, messages: [asked('m1', 'why does add fail?'), ...messages] },
    null,
    2,
  )
  expect(outlineBranch(await readForeign(text))).toEqual(looked)
})

it('messages that were taken back stay as a branch', async () => {
  const lines = (id: string) => [
    header,
    asked('m1', 'one'),
    said('m2', 'One!'),
    asked('m3', 'two'),
    said('m4', 'Two!'),
    { $rewindTo: id },
    asked('m5', 'three'),
  ]
  const session = await readForeign(lines('m3'))
  expect(outlineBranch(session)).toEqual(['user: one', 'assistant: One!', 'user: three'])
  expect(session.messages.map(outlineMessage)).toContain('assistant: Two!')
  expect(outlineBranch(await readForeign(lines('unknown')))).toEqual(['user: three'])
})

it('a session that goes on lists its messages again, with calls as parts, and they stay what they were', async () => {
  const context = asked('c0', '<session_context>…</session_context>')
  const result = [answer('call_1', { output: 'a - b' })]
  const session = await readForeign([
    ...geminiLines,
    header,
    set({ messages: [context] }),
    set({
      messages: [
        context,
        asked('m1', 'why does add fail?'),
        logged('gemini', 'm2', [
          words('Let me look.'),
          { functionCall: call('call_1', { file_path: 'add.js' }) },
        ]),
        logged('user', 'm2_response', result),
        logged('user', 'm3', result),
        logged('gemini', 'm5', [words('It subtracts.')]),
      ],
    }),
    asked('m6', 'fix it'),
  ])
  expect(outlineBranch(session)).toEqual([...looked, 'user: fix it'])
  expect(session.messages).toHaveLength(5)
  expect(session.messages[1]).toMatchObject({ usage: { inputTokens: 90 } })
})

it('a list that begins with a summary is a mark, and what it repeats stays in its place', async () => {
  const summary = asked('s1', '<state_snapshot>They began.</state_snapshot>')
  const thanks = logged('gemini', 's2', [words('Got it. Thanks for the additional context!')])
  const lines = [
    header,
    asked('m1', 'begin'),
    said('m2', 'Begun.'),
    asked('m3', 'go on'),
    said('m4', 'Gone on.'),
    set({
      messages: [summary, thanks, asked('t1', 'go on'), logged('gemini', 't2', [words('Gone on.')])],
    }),
    asked('m5', 'finish'),
  ]
  const kept = ['user: go on', 'assistant: Gone on.']
  const sent = ['mark: <state_snapshot>They began.</state_snapshot>', ...kept, 'user: finish']
  const session = await readForeign(lines)
  expect(outlineContext(session)).toEqual(sent)
  expect(outlineBranch(session)).toEqual([
    'user: begin',
    'assistant: Begun.',
    ...kept,
    'mark: <state_snapshot>They began.</state_snapshot>',
    'user: finish',
  ])
  // Going on lists all of that once more.
  const listed = [summary, thanks, asked('t1', 'go on'), logged('gemini', 't2', [words('Gone on.')])]
  const resumed = await readForeign([
    ...lines,
    set({ messages: [] }),
    set({ messages: [...listed, asked('m5', 'finish')] }),
    said('m6', 'Finished.'),
  ])
  expect(outlineContext(resumed)).toEqual([...sent, 'assistant: Finished.'])
})

it('the content of files that a prompt names is its context; failed calls are errors', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64')
  const session = await readForeign([
    header,
    logged('user', 'm1', [
      words('see @a.txt'),
      { inlineData: { mimeType: 'image/png', data: png } },
      words('\n--- Content from referenced files ---'),
      words('hello'),
      words('\n--- End of content ---'),
    ]),
    said('m2', '', {
      toolCalls: [
        call('c1', {}, [answer('c1', { error: 'no such file' })], 'error'),
        call('c2', {}, [answer('c2', { output: 'cancelled by the user' })], 'cancelled'),
      ],
    }),
  ])
  expect(outlineBranch(session)).toEqual([
    'user: {\n--- Content from referenced files ---} + {hello} + {\n--- End of content ---} + see @a.txt + image',
    'assistant: read_file {} + read_file {}',
    'read_file: no such file [error]',
    'read_file: cancelled by the user [error]',
  ])
  expect(lost(session)).toEqual({})
})
