import { expect, it } from 'vitest'
import { lost, outlineBranch, outlineContext, readForeign } from './foreign.ts'
import { assistant, entry, header, message, piLines, piSession, user, words } from './pi-lines.ts'

it('the current branch continues, and the one that was left stays', async () => {
  const session = await readForeign(piLines)
  const { agent, sourceId, cwd, title, messages, damage } = session
  expect({ agent, sourceId, cwd, title, damage }).toEqual({
    agent: 'pi',
    sourceId: piSession,
    cwd: '/home/ann/calc',
    title: 'Adding numbers',
    damage: [],
  })
  expect(outlineBranch(session)).toEqual([
    'user: why does add fail?',
    'assistant: (Look first. signed) + Let me look. + read {"path":"add.js"}',
    'read: a - b',
    'user: [Summary of a branch that was left]\n\nA wrong answer.',
    'user: ! npm test\n1 failed',
    'assistant: It subtracts.',
  ])
  expect(messages).toHaveLength(7)
  expect(messages[1]).toMatchObject({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    stopReason: 'tool_use',
    rawStopReason: 'toolUse',
    usage: { inputTokens: 2104, outputTokens: 7, cacheReadTokens: 2000, cacheWriteTokens: 100 },
  })
  expect(lost(session)).toEqual({ 'label entries': 1, 'commands that were kept from the model (!!)': 1 })
})

it.each([
  ['of the first version, which names kept entries by position', { firstKeptEntryIndex: 3 }],
  ['of a later one, which names them by id', { firstKeptEntryId: 'e3' }],
])('a compaction is a mark that keeps what pi kept: %s', async (_, kept) => {
  const linked = 'firstKeptEntryId' in kept
  const lines = [
    message('e1', null, user('begin')),
    message('e2', 'e1', assistant([words('Begun.')])),
    message('e3', 'e2', user('go on')),
    message('e4', 'e3', assistant([words('Gone on.')])),
    entry('compaction', 'e5', 'e4', { summary: 'They began.', tokensBefore: 150_000, ...kept }),
    message('e6', 'e5', user('finish')),
  ]
  const bare = lines.map(({ id: _id, parentId: _parent, ...rest }) => rest)
  const session = await readForeign([header, ...(linked ? lines : bare)])
  expect(outlineContext(session)).toEqual([
    'mark: They began.',
    'user: go on',
    'assistant: Gone on.',
    'user: finish',
  ])
})

it('thoughts keep their signature only where it can be sent back', async () => {
  const block = { type: 'thinking', thinking: 'Hm.', thinkingSignature: '{"id":"rs_1"}' }
  const reply = assistant([block, words('Yes.')], {
    provider: 'openai',
    model: 'gpt-5',
    api: 'openai-responses',
  })
  const session = await readForeign([header, message('e1', null, user('well?')), message('e2', 'e1', reply)])
  expect(outlineBranch(session)).toEqual(['user: well?', 'assistant: (Hm.) + Yes.'])
  expect(lost(session)).toEqual({ 'signatures of thoughts': 1 })
})
