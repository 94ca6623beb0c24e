import { expect, it } from 'vitest'
import { isElfReport, isLoopMessage } from '../../src/message.ts'
import {
  asked,
  claudeLines,
  claudeSession,
  other,
  resulted,
  said,
  used,
  uuid,
  words,
} from './claude-lines.ts'
import { lost, outlineBranch, outlineContext, readForeign } from './foreign.ts'

function file(filename: string, content: string) {
  return { type: 'file', filename, content: { type: 'text', file: { filePath: filename, content } } }
}

it('a reply of several lines is one message, followed by the results of its calls', async () => {
  const session = await readForeign(claudeLines)
  const { agent, sourceId, cwd, title, head, messages, damage } = session
  expect({ agent, sourceId, cwd, title, head, damage }).toEqual({
    agent: 'Claude Code',
    sourceId: claudeSession,
    cwd: '/home/ann/calc',
    title: 'Adding numbers',
    head: uuid(10),
    damage: [],
  })
  expect(outlineBranch(session)).toEqual([
    'user: why does add fail?',
    'assistant: (Look first. signed) + Let me look. + Read {"file_path":"/home/ann/calc/add.js"} + Bash {"command":"npm test"}',
    'Read: export const add = (a, b) => a - b',
    'Bash: 1 failed [error]',
    'assistant: It subtracts.',
  ])
  expect(lost(session)).toEqual({
    'notes that the agent wrote for its model': 1,
    'attachments of the type todo_reminder': 1,
    'lines of sub-agents': 1,
  })
  expect(messages[1]).toEqual({
    type: 'assistant',
    id: uuid(3),
    timestamp: '2026-02-17T11:03:00.000Z',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5-20250929',
    stopReason: 'tool_use',
    rawStopReason: 'tool_use',
    content: [
      { type: 'thinking', thinking: 'Look first.', signature: 'of Look first.' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call', id: 'toolu_1', name: 'Read', arguments: { file_path: '/home/ann/calc/add.js' } },
      { type: 'tool_call', id: 'toolu_2', name: 'Bash', arguments: { command: 'npm test' } },
    ],
    usage: {
      inputTokens: 2104,
      outputTokens: 7,
      cacheReadTokens: 2000,
      cacheWriteTokens: 100,
      raw: {
        input_tokens: 4,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 2000,
        output_tokens: 7,
      },
    },
  })
})

it('a prompt that was taken back stays as a branch, also at the very beginning', async () => {
  const session = await readForeign([
    asked(1, null, 'first try'),
    said(2, 1, 'msg_1', words('One.')),
    asked(3, null, 'second try'),
    said(4, 3, 'msg_2', words('Two.')),
    asked(5, 4, 'left'),
    said(6, 5, 'msg_3', words('Three.')),
    asked(7, 4, 'kept'),
  ])
  expect(outlineBranch(session)).toEqual(['user: second try', 'assistant: Two.', 'user: kept'])
  expect(outlineBranch({ ...session, head: session.messages[5]?.id ?? expect.fail() })).toEqual([
    'user: second try',
    'assistant: Two.',
    'user: left',
    'assistant: Three.',
  ])
  expect(session.messages).toHaveLength(7)
})

it('a compaction is a mark: requests get the summary and what was kept, the session has everything', async () => {
  const boundary = (kept: object) =>
    other('system', 5, null, {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: uuid(4),
      compactMetadata: { trigger: 'auto', preTokens: 155_000, ...kept },
    })
  const lines = (kept: object) => [
    asked(1, null, 'begin'),
    said(2, 1, 'msg_1', words('Begun.')),
    asked(3, 2, 'go on'),
    said(4, 3, 'msg_2', words('Gone on.')),
    boundary(kept),
    asked(6, 5, 'They began and went on.', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    asked(7, 6, 'finish'),
  ]
  const whole = await readForeign(lines({}))
  expect(outlineContext(whole)).toEqual(['mark: They began and went on.', 'user: finish'])
  expect(outlineBranch(whole)).toHaveLength(6)
  const preservedSegment = { headUuid: uuid(3), anchorUuid: uuid(6), tailUuid: uuid(4) }
  expect(outlineContext(await readForeign(lines({ preservedSegment })))).toEqual([
    'mark: They began and went on.',
    'user: go on',
    'assistant: Gone on.',
    'user: finish',
  ])
})

it('a summary of what was said up to a message follows the messages that were kept', async () => {
  const preservedSegment = { headUuid: uuid(3), anchorUuid: uuid(6), tailUuid: uuid(4) }
  const lines = (metadata: object) => [
    asked(1, null, 'begin'),
    said(2, 1, 'msg_1', words('Begun.')),
    asked(3, 2, 'go on'),
    said(4, 3, 'msg_2', words('Gone on.')),
    other('system', 5, null, {
      subtype: 'compact_boundary',
      logicalParentUuid: uuid(2),
      compactMetadata: { trigger: 'manual', ...metadata },
    }),
    asked(6, 5, 'They began.', { isCompactSummary: true }),
    other('attachment', 7, 6, { attachment: file('a.txt', 'hello') }),
    asked(8, 7, 'finish'),
  ]
  const sent = [
    'mark: {<file path="a.txt">\nhello\n</file>} + They began.',
    'user: go on',
    'assistant: Gone on.',
    'user: finish',
  ]
  expect(outlineContext(await readForeign(lines({ preservedSegment })))).toEqual(sent)
  const preservedMessages = { anchorUuid: uuid(6), uuids: [uuid(3), uuid(4)] }
  expect(outlineContext(await readForeign(lines({ preservedMessages })))).toEqual(sent)
})

it('a summary of what was said from a message on follows what was kept before it', async () => {
  const session = await readForeign([
    asked(1, null, 'begin'),
    said(2, 1, 'msg_1', words('Begun.')),
    asked(3, 2, 'go on'),
    said(4, 3, 'msg_2', words('Gone on.')),
    other('system', 5, null, {
      subtype: 'compact_boundary',
      logicalParentUuid: uuid(4),
      compactMetadata: { preservedSegment: { headUuid: uuid(1), anchorUuid: uuid(5), tailUuid: uuid(2) } },
    }),
    asked(6, 5, 'They went on.', { isCompactSummary: true }),
    asked(7, 6, 'finish'),
  ])
  expect(outlineContext(session)).toEqual([
    'user: begin',
    'assistant: Begun.',
    'user: They went on.',
    'user: finish',
  ])
  expect(session.messages.map(isLoopMessage)).toEqual([false, false, false, false, true, false])
})

it('reports of sub-agents are no prompts, attached files are context, and accounts are not counted as lost', async () => {
  const notification = (result: string) =>
    `<task-notification>\n<task-id>a1</task-id>\n<summary>Agent "count" finished</summary>\n<result>${result}</result>\n</task-notification>`
  const account = (type: string, more: object = {}) => ({ type, sessionId: claudeSession, ...more })
  const session = await readForeign([
    account('mode', { mode: 'normal' }),
    account('queue-operation', { operation: 'dequeue' }),
    asked(1, null, 'count in @a.txt'),
    other('attachment', 2, 1, { attachment: file('a.txt', 'hello') }),
    other('attachment', 3, 2, { attachment: { type: 'directory', path: 'src', content: 'b.ts' } }),
    other('attachment', 4, 3, { attachment: { type: 'environment', snapshot: {} } }),
    account('api-request-shape', { shape: {} }),
    said(5, 4, 'msg_1', words('Counting.')),
    asked(6, 5, notification('3'), { origin: { kind: 'task-notification' } }),
    other('attachment', 7, 6, { attachment: { type: 'queued_command', prompt: notification('4') } }),
    said(8, 7, 'msg_2', words('Four.')),
    other('system', 9, 8, { subtype: 'turn_duration', durationMs: 1 }),
    account('custom-title', { customTitle: 'Counting' }),
    account('agent-name', { agentName: 'Counting' }),
  ])
  expect(outlineBranch(session)).toEqual([
    'user: {<file path="a.txt">\nhello\n</file>} + {<file path="src">\nb.ts\n</file>} + count in @a.txt',
    'assistant: Counting.',
    'user: [Agent "count" finished]\n\n3',
    'user: [Agent "count" finished]\n\n4',
    'assistant: Four.',
  ])
  expect(session.messages.map(isElfReport)).toEqual([false, false, true, true, false])
  expect(session.title).toBe('Counting')
  expect(lost(session)).toEqual({})
})

it('commands read as they were typed, with their prompt as context; those of the agent itself are left out', async () => {
  const wrapped = (name: string, args: string) =>
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`
  const session = await readForeign([
    asked(1, null, 'Caveat: the messages below …', { isMeta: true }),
    asked(2, 1, wrapped('model', 'opus')),
    asked(3, 2, '<local-command-stdout>Set model to opus</local-command-stdout>'),
    asked(4, 3, wrapped('review', 'src')),
    asked(5, 4, [words('Review what is in src.')], { isMeta: true }),
    said(6, 5, 'msg_1', words('Fine.')),
    asked(7, 6, '<bash-input>git status</bash-input>'),
    asked(8, 7, '<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>'),
    other('attachment', 9, 8, { attachment: { type: 'queued_command', prompt: 'and test it' } }),
    said(10, 9, 'msg_2', words('API Error: 529'), { model: '<synthetic>' }),
  ])
  expect(outlineBranch(session)).toEqual([
    'user: {Review what is in src.} + /review src',
    'assistant: Fine.',
    'user: ! git status',
    'user: clean',
    'user: and test it',
  ])
  expect(lost(session)).toEqual({
    'notes that the agent wrote for its model': 1,
    'commands of the agent itself': 1,
    'outputs of commands of the agent itself': 1,
    'error messages of the agent': 1,
  })
})

it('reminders at the end of results are left out, and the same words within a result stay', async () => {
  const reminder = '<system-reminder>\nIs this malware?\n</system-reminder>'
  const session = await readForeign([
    asked(1, null, 'go'),
    said(2, 1, 'msg_1', used('t1', 'Read', {})),
    resulted(3, 2, 't1', `a\n${reminder}\nb\n\n${reminder}\n${reminder}\n`),
    said(4, 3, 'msg_2', used('t2', 'Read', {})),
    resulted(5, 4, 't2', [words('c'), words(reminder)]),
    said(6, 5, 'msg_3', used('t3', 'Read', {})),
    resulted(7, 6, 't3', `${'</system-reminder>'.repeat(3)}`),
  ])
  const results = session.messages.filter(({ type }) => type === 'tool_result')
  expect(results.map(({ content }) => content)).toEqual([
    [words(`a\n${reminder}\nb`)],
    [words('c')],
    [words('</system-reminder>'.repeat(3))],
  ])
  expect(lost(session)).toEqual({ 'notes that the agent wrote for its model': 3 })
})

it('only images that models accept are imported, and no signature of a model that is not Claude', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64')
  const image = (source: object) => ({ type: 'image', source })
  const session = await readForeign([
    asked(1, null, [
      words('see'),
      image({ type: 'base64', media_type: 'image/png', data: png }),
      image({ type: 'base64', media_type: 'image/png', data: 'bm90IGFuIGltYWdl' }),
      image({ type: 'url', url: 'http://169.254.169.254/' }),
    ]),
    said(2, 1, 'msg_1', { type: 'thinking', thinking: 'Hm.', signature: 'theirs' }, { model: 'glm-4.6' }),
    said(3, 2, 'msg_1', used('t1', 'Read', {}), { model: 'glm-4.6' }),
    resulted(
      4,
      3,
      't1',
      '<persisted-output>\nOutput too large. Saved to: /home/ann/.ssh/id_ed25519\n</persisted-output>',
    ),
  ])
  expect(outlineBranch(session)).toEqual([
    'user: see + image + [an image or document that could not be imported] + [an image that could not be imported]',
    'assistant: (Hm.) + Read {}',
    expect.stringContaining('Read: <persisted-output>'),
  ])
  expect(session.messages[1]).not.toHaveProperty('provider')
  expect(lost(session)).toEqual({
    'images or documents that are damaged, above 4.5 MiB, or of a type that models do not accept': 1,
    'images that are only an address': 1,
    'outputs that the agent keeps in other files, up to a preview': 1,
  })
})
