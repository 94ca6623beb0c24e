import { describe, expect, it } from 'vitest'
import { ClaudeTranscript } from '../../src/claude/claude-transcript.ts'
import { beforeFirst } from '../../src/id.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json-value.ts'
import type { Message } from '../../src/message.ts'
import { outlineBranch, readForeign } from '../import/foreign.ts'
import { assistant, call, image, messageId, text, toolResult, user } from '../support/messages/messages.ts'

const madeId = '00000000-0000-4000-8000-00000000000a'
const sessionId = '0a1b2c3d-1111-4222-8333-444455556666'

function linesOf(...messages: readonly Message[]): readonly JsonObject[] {
  const transcript = new ClaudeTranscript({
    words: { call: (tool, input) => ({ name: tool === 'read' ? 'Read' : tool, input }) },
    newId: () => madeId,
    facts: { sessionId, cwd: '/home/ada' },
  })
  return messages.flatMap((message) => transcript.linesOf(message))
}

/** The fields of a message in a line. */
function saidIn(line: JsonObject | undefined): JsonObject {
  const message: JsonValue = line?.['message'] ?? {}
  return isJsonObject(message) ? message : {}
}

const asked = user(text('Why does add fail?'))
const called = {
  ...assistant(text('I look.'), call('c1')),
  stopReason: 'tool_use' as const,
  requestId: 'req_1',
}
const read = toolResult('c1', text('a - b'))
const told = { ...assistant(text('It subtracts.')), id: messageId(4) }

describe('the transcript of a session', () => {
  it('links each line to the one before it, a line for each block', () => {
    const lines = linesOf(asked, called, read, told)
    expect(lines.map(({ type, uuid, parentUuid }) => [type, uuid, parentUuid])).toEqual([
      ['user', asked.id, null],
      ['assistant', madeId, asked.id],
      ['assistant', called.id, madeId],
      ['user', read.id, called.id],
      ['assistant', told.id, read.id],
    ])
    expect(lines.map(({ sessionId: of, cwd, isSidechain }) => [of, cwd, isSidechain])).toEqual(
      lines.map(() => [sessionId, '/home/ada', false]),
    )
  })

  it('holds what the messages do, in the words of that agent', () => {
    const [first, , call1, result] = linesOf(asked, called, read)
    expect(saidIn(first)).toEqual({ role: 'user', content: 'Why does add fail?' })
    expect(saidIn(call1)).toMatchObject({
      id: `msg_${called.id.replaceAll('-', '')}`,
      model: 'replay/script',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'auth.ts' } }],
      usage: { input_tokens: 150, output_tokens: 42 },
    })
    expect(call1).toMatchObject({ requestId: 'req_1' })
    expect(saidIn(result)['content']).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'a - b', is_error: false },
    ])
    expect(result).toMatchObject({ toolUseResult: 'a - b' })
    expect(result).not.toHaveProperty('tool_use_result')
    expect(result).not.toHaveProperty('parent_tool_use_id')
  })

  it('leaves out what pipe puts before the words of the user, and keeps images', () => {
    const [line] = linesOf({
      ...user(text('It is Monday.'), text('look'), image),
      metadata: { context: '1' },
    })
    expect(saidIn(line)['content']).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.data } },
    ])
  })

  it('goes on from the message that a branch leaves', () => {
    const again = { ...user(text('again')), id: messageId(5), parentId: asked.id }
    const anew = { ...user(text('anew')), id: messageId(6), parentId: beforeFirst }
    expect(linesOf(asked, told, again, anew).map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      asked.id,
      asked.id,
      null,
    ])
  })

  it('tells summaries and the words of hooks from those of the user', () => {
    const summary = { ...user(text('So far: …')), metadata: { compacted_through: told.id } }
    const hooked = { ...user(text('Run the tests.')), metadata: { hook_message: 'true' } }
    const [one, two, three] = linesOf(asked, summary, hooked)
    expect(one).not.toHaveProperty('isMeta')
    expect(two).toMatchObject({ isCompactSummary: true })
    expect(three).toMatchObject({ isMeta: true })
  })

  it('is read back by the import', async () => {
    const session = await readForeign([...linesOf(asked, called, read, told)])
    expect(session).toMatchObject({
      agent: 'Claude Code',
      sourceId: sessionId,
      cwd: '/home/ada',
      damage: [],
      leftOut: [],
    })
    expect(outlineBranch(session)).toEqual([
      'user: Why does add fail?',
      'assistant: I look. + Read {"path":"auth.ts"}',
      'Read: a - b',
      'assistant: It subtracts.',
    ])
  })
})
