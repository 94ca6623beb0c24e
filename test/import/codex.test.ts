import { expect, it } from 'vitest'
import { isElfReport } from '../../src/message.ts'
import { codexLines, codexSession, event, item, message, meta, typed } from './codex-lines.ts'
import { lost, outlineBranch, outlineContext, outlineMessage, readForeign } from './foreign.ts'

it('items up to the results of the calls are one reply, with its tokens', async () => {
  const session = await readForeign(codexLines)
  const { agent, sourceId, cwd, damage, messages } = session
  expect({ agent, sourceId, cwd, damage }).toEqual({
    agent: 'Codex',
    sourceId: codexSession,
    cwd: '/home/ann/calc',
    damage: [],
  })
  expect(outlineBranch(session)).toEqual([
    'user: why does add fail?',
    'assistant: (Look first.) + Let me look. + shell {"command":["cat","add.js"]} + apply_patch {"input":"*** Begin Patch"}',
    'shell: a - b',
    expect.stringMatching(/^apply_patch: Exit code: 1[\s\S]*no such file \[error\]$/),
    'assistant: It subtracts.',
  ])
  expect(messages[1]).toMatchObject({
    provider: 'openai',
    model: 'gpt-5-codex',
    stopReason: 'tool_use',
    timestamp: '2026-02-17T10:59:02.317Z',
    usage: { inputTokens: 90, outputTokens: 9, cacheReadTokens: 40, reasoningTokens: 4 },
  })
  expect(lost(session)).toEqual({
    'instructions of the agent': 2,
    'notes that the agent wrote for its model': 2,
    'encrypted thoughts': 1,
    'web_search_call items': 1,
  })
})

it('the first versions have bare items', async () => {
  const session = await readForeign([
    { id: codexSession, timestamp: '2025-06-01T10:00:00.000Z', instructions: null, git: { branch: 'main' } },
    { record_type: 'state' },
    message('user', 'list'),
    {
      type: 'local_shell_call',
      id: 'sh_1',
      call_id: 'call_1',
      status: 'completed',
      action: { type: 'exec', command: ['ls'] },
    },
    { type: 'function_call_output', call_id: 'call_1', output: { content: 'denied', success: false } },
    { type: 'function_call', name: 'shell', arguments: '{"command":[', call_id: 'call_2' },
  ])
  expect(outlineBranch(session)).toEqual([
    'user: list',
    'assistant: local_shell {"type":"exec","command":["ls"]}',
    'local_shell: denied [error]',
    'assistant: shell null',
  ])
  expect(session.messages[0]?.timestamp).toBe('2025-06-01T10:00:00.000Z')
  expect(lost(session)).toEqual({})
})

it.each([
  ['a prompt', [item(message('user', 'and then?'))], ['user: begin', 'assistant: Begun.', 'user: and then?']],
  [
    'a compaction',
    [typed('compacted', { message: 'They began.' })],
    ['user: begin', 'assistant: Begun.', 'mark: They began.'],
  ],
  ['a rollback', [event({ type: 'thread_rolled_back', num_turns: 1 })], []],
])(
  'tokens that are told again after %s change neither the reply nor what follows',
  async (_, lines, before) => {
    const tokens = (input: number) =>
      event({ type: 'token_count', info: { last_token_usage: { input_tokens: input, output_tokens: 1 } } })
    const session = await readForeign([
      meta,
      item(message('user', 'begin')),
      item(message('assistant', 'Begun.')),
      tokens(10),
      ...lines,
      tokens(11),
      item(message('user', 'finish')),
      item(message('assistant', 'Finished.')),
      tokens(20),
    ])
    expect(outlineBranch(session)).toEqual([...before, 'user: finish', 'assistant: Finished.'])
    const replies = session.messages.filter(({ type }) => type === 'assistant')
    expect(replies.map((reply) => 'usage' in reply && reply.usage.inputTokens)).toEqual([10, 20])
  },
)

it('turns that were rolled back stay as a branch', async () => {
  const turn = (words: string) => [item(message('user', words)), item(message('assistant', `${words}!`))]
  const session = await readForeign([
    meta,
    ...turn('one'),
    ...turn('two'),
    ...turn('three'),
    event({ type: 'thread_rolled_back', num_turns: 2 }),
    event({ type: 'thread_name_updated', thread_name: 'Counting' }),
    ...turn('four'),
  ])
  expect(outlineBranch(session)).toEqual(['user: one', 'assistant: one!', 'user: four', 'assistant: four!'])
  expect([session.title, session.messages.length]).toEqual(['Counting', 8])
})

it('a compaction is a mark; one with an encrypted summary is named, and requests get everything', async () => {
  const lines = (compacted: object) => [
    meta,
    item(message('user', 'begin')),
    item(message('assistant', 'Begun.')),
    typed('compacted', compacted),
    item(message('user', 'finish')),
  ]
  const readable = await readForeign(lines({ message: 'They began.', replacement_history: [] }))
  expect(outlineContext(readable)).toEqual(['mark: They began.', 'user: finish'])
  const history = [{ type: 'compaction', encrypted_content: 'gAAA' }]
  const encrypted = await readForeign(lines({ message: '', replacement_history: history }))
  expect(outlineContext(encrypted)).toEqual(['user: begin', 'assistant: Begun.', 'user: finish'])
  expect(lost(encrypted)).toEqual({ 'instructions of the agent': 1, 'encrypted summaries': 1 })
})

it('the prompts that a compaction keeps are sent with its summary; the reply that wrote it is not', async () => {
  const summary = message('user', 'Another model began: They began.')
  const session = await readForeign([
    meta,
    item(message('user', 'begin')),
    item(message('assistant', 'Begun.')),
    item(message('user', 'go on')),
    { ...item(message('assistant', 'They began.')), metadata: { compaction_output: true } },
    typed('compacted', {
      message: 'Another model began: They began.',
      replacement_history: [
        { type: 'additional_tools', role: 'developer', tools: [] },
        message('developer', '<permissions instructions>…</permissions instructions>'),
        message('user', 'begin'),
        message('user', '<environment_context>…</environment_context>'),
        message('user', 'go on'),
        summary,
      ],
    }),
    item(message('user', 'finish')),
  ])
  expect(outlineContext(session)).toEqual([
    'mark: Another model began: They began. + What the user asked before, word for word: + begin + go on',
    'user: finish',
  ])
  expect(outlineBranch(session).slice(0, 3)).toEqual(['user: begin', 'assistant: Begun.', 'user: go on'])
  expect(lost(session)).toEqual({ 'instructions of the agent': 1 })
})

it('a summary may stand only among the messages that replace the others', async () => {
  const summary = {
    ...message('user', 'They began.'),
    internal_chat_message_metadata_passthrough: { content_item_kinds: ['compaction.summary'] },
  }
  const session = await readForeign([
    meta,
    item(message('user', 'begin')),
    typed('compacted', { message: '', replacement_history: [message('user', 'begin'), summary] }),
  ])
  expect(outlineContext(session)).toEqual([
    'mark: They began. + What the user asked before, word for word: + begin',
  ])
})

it('what a sub-agent reports is no prompt, and what only keeps account is not counted as lost', async () => {
  const session = await readForeign([
    meta,
    event({ type: 'task_started', turn_id: 't' }),
    item({ type: 'additional_tools', role: 'developer', tools: [] }),
    typed('world_state', { full: true, state: {} }),
    event({ type: 'thread_settings_applied', thread_settings: {} }),
    item(message('user', 'count')),
    event({ type: 'item_completed', item: { type: 'UserMessage' } }),
    typed('inter_agent_communication_metadata', { trigger_turn: false }),
    item({
      type: 'agent_message',
      author: '/root/counter',
      recipient: '/root',
      content: [
        { type: 'input_text', text: 'There are 3.' },
        { type: 'encrypted_content', encrypted_content: 'gAAA' },
      ],
    }),
    item(message('user', '<subagent_notification>{"status":"done"}</subagent_notification>')),
    item(message('assistant', 'Three.')),
    typed('token_usage_record', { usage: {} }),
    event({ type: 'thread_rolled_back', num_turns: 1 }),
    item(message('user', 'count again')),
  ])
  expect(session.messages.map(outlineMessage)).toEqual([
    'user: count',
    'user: [Message of /root/counter]\n\n + There are 3.',
    'user: <subagent_notification>{"status":"done"}</subagent_notification>',
    'assistant: Three.',
    'user: count again',
  ])
  expect(session.messages.map(isElfReport)).toEqual([false, true, true, false, false])
  // A report begins no turn.
  expect(outlineBranch(session)).toEqual(['user: count again'])
  expect(lost(session)).toEqual({ 'instructions of the agent': 1, 'encrypted messages between agents': 1 })
})

it('the files that an editor shows are context of the request', async () => {
  const text = '# Context from my IDE setup:\n\n## Active file: a.js\n\n## My request for Codex:\nfix it\n'
  const session = await readForeign([meta, item(message('user', text))])
  expect(outlineBranch(session)).toEqual([
    'user: {# Context from my IDE setup:\n\n## Active file: a.js} + fix it',
  ])
})
