import { expect, it } from 'vitest'
import { lost, outlineBranch, outlineContext, outlineMessage, readForeign } from './foreign.ts'
import { opencodeDocument, prompt, reply, text, tool } from './opencode-document.ts'

/** Reads a document as the command prints it. */
function read(messages: readonly object[], info: object = {}) {
  return readForeign(JSON.stringify(opencodeDocument(messages, info), null, 2))
}

const failing = [
  prompt('m1', [text('why does add fail?')]),
  reply('m2', [
    { type: 'step-start' },
    { type: 'reasoning', text: 'Look first.' },
    text('Let me look.'),
    tool('c1', { status: 'completed', output: 'a - b' }),
    tool('c2', { status: 'error', error: 'The user rejected permission to use this specific tool call.' }),
    tool('c3', { status: 'running' }),
    { type: 'step-finish', reason: 'tool-calls' },
  ]),
  reply('m3', [text('It subtracts.')], { finish: 'stop' }),
]

it('a document is a session: parts of a reply are one message, a refused call is an error', async () => {
  const session = await read(failing)
  const { agent, cwd, title, damage, messages } = session
  expect({ agent, cwd, title, damage }).toEqual({
    agent: 'opencode',
    cwd: '/home/ann/calc',
    title: 'Adding numbers',
    damage: [],
  })
  expect(outlineBranch(session)).toEqual([
    'user: why does add fail?',
    'assistant: (Look first.) + Let me look. + read {"filePath":"add.js"} + read {"filePath":"add.js"} + read {"filePath":"add.js"}',
    'read: a - b',
    'read: The user rejected permission to use this specific tool call. [error]',
    'assistant: It subtracts.',
  ])
  expect(messages[1]).toMatchObject({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    stopReason: 'tool_use',
    timestamp: '2026-02-17T09:00:00.000Z',
    usage: { inputTokens: 2104, outputTokens: 10, cacheReadTokens: 2000, cacheWriteTokens: 100 },
  })
  expect(lost(session)).toEqual({})
})

it('files are the context of a prompt; what cannot be imported is named', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64')
  const session = await read([
    prompt('m1', [
      text('see @a.txt'),
      text('Called the Read tool', { synthetic: true }),
      text('1: hello', { synthetic: true }),
      { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'file:///home/ann/calc/a.txt' },
      { type: 'file', mime: 'image/png', filename: 'a.png', url: `data:image/png;base64,${png}` },
      { type: 'file', mime: 'image/png', filename: 'b.png', url: 'file:///home/ann/b.png' },
      text('not for the model', { ignored: true }),
      { type: 'hologram' },
    ]),
    reply('m2', [text('Bro')], { error: { name: 'MessageAbortedError', data: {} }, finish: undefined }),
  ])
  expect(outlineBranch(session)).toEqual([
    'user: {Called the Read tool} + {1: hello} + see @a.txt + image + [an image that could not be imported]',
    'assistant: Bro',
  ])
  expect(session.messages[1]).toMatchObject({ stopReason: 'aborted', rawStopReason: 'MessageAbortedError' })
  expect(lost(session)).toEqual({
    'images that are only an address': 1,
    'texts that were kept from the model': 1,
    'parts of the type hologram': 1,
  })
})

it('a compaction is a mark, with the messages that it kept', async () => {
  const messages = (kept: object) => [
    prompt('m1', [text('begin')]),
    reply('m2', [text('Begun.')]),
    prompt('m3', [text('go on')]),
    reply('m4', [text('Gone on.')]),
    prompt('m5', [{ type: 'compaction', auto: true, ...kept }]),
    reply('m6', [text('They began.')], { summary: true, parentID: 'm5' }),
    prompt('m7', [text('finish')]),
  ]
  expect(outlineContext(await read(messages({})))).toEqual(['mark: They began.', 'user: finish'])
  expect(outlineContext(await read(messages({ tail_start_id: 'm3' })))).toEqual([
    'mark: They began.',
    'user: go on',
    'assistant: Gone on.',
    'user: finish',
  ])
})

it('messages that were taken back stay as a branch', async () => {
  const session = await read(failing, { revert: { messageID: 'm3' } })
  expect(outlineBranch(session).at(-1)).toMatch(/^read: The user rejected/)
  expect(session.messages.map(outlineMessage)).toContain('assistant: It subtracts.')
})

it('a document that is cut is refused', async () => {
  const whole = JSON.stringify(opencodeDocument(failing), null, 2)
  await expect(readForeign(whole.slice(0, -10))).rejects.toMatchObject({
    code: 'input',
    message: expect.stringMatching(/^line 1: /),
  })
})
