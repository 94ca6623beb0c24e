import { describe, expect, it } from 'vitest'
import { isPipeError } from '../src/error.ts'
import {
  type ContentBlock,
  contextLength,
  hasToolCalls,
  type Message,
  noOutput,
  outputText,
  resultContent,
  textContent,
  toolCalls,
  validateMessage,
} from '../src/message.ts'
import { assistant, call, now, text, toolResult, user } from './support/messages/messages.ts'
import { thrown } from './support/thrown.ts'
import { untyped } from './support/untyped.ts'

const blocks: Record<ContentBlock['type'], ContentBlock> = {
  text: text('hello'),
  thinking: { type: 'thinking', thinking: 'hm' },
  image: { type: 'image', mimeType: 'image/png', data: 'aGk=' },
  document: { type: 'document', mimeType: 'application/pdf', data: 'aGk=' },
  tool_call: call('tc_1'),
}

const holding: Record<Message['type'], (block: ContentBlock) => Message> = {
  user: (block) => user(block),
  assistant: (block) => assistant(block),
  tool_result: (block) => toolResult('tc_1', block),
}

const allowed: Record<Message['type'], readonly string[]> = {
  user: ['text', 'image', 'document'],
  assistant: ['text', 'thinking', 'image', 'tool_call'],
  tool_result: ['text', 'image', 'document'],
}

const kinds = ['user', 'assistant', 'tool_result'] as const

/** Returns the error's `field` and `reason`; `undefined` if the message is accepted. */
function refusal(message: Message): unknown {
  try {
    validateMessage(message, now)
    return undefined
  } catch (error) {
    if (isPipeError(error)) return error.details
    throw error
  }
}

describe('a message', () => {
  it.each(kinds)('of kind %s accepts only the block types of its table row', (kind) => {
    const accepted = Object.values(blocks).filter((block) => refusal(holding[kind](block)) === undefined)
    expect(accepted.map((block) => block.type)).toEqual(allowed[kind])
  })

  it('reports a forbidden block with field and reason', async () => {
    expect(await thrown(() => validateMessage(user(call('tc_1')), now))).toMatchObject({
      code: 'invalid',
      message: 'invalid message: a user message cannot hold tool_call',
      details: { field: 'content', reason: 'a user message cannot hold tool_call' },
    })
  })

  it.each(kinds)('of kind %s needs at least one block', (kind) => {
    expect(refusal({ ...holding[kind](text('x')), content: [] })).toEqual({
      field: 'content',
      reason: `a ${kind} message needs at least one block`,
    })
  })

  it.each(['', ' ', '\n\t', '\u00a0\u2003\ufeff'])('of the user must not be blank (%j)', (blank) => {
    const refused = { field: 'content', reason: 'the message is empty' }
    expect(refusal(user(text(blank)))).toEqual(refused)
    expect(refusal(user(text(blank), text(blank)))).toEqual(refused)
    expect(refusal(user(text(blank), text('x')))).toBeUndefined()
    expect(refusal(user(text(blank), blocks.image))).toBeUndefined()
  })

  it('of a model or a tool may be blank', () => {
    expect(refusal(assistant(text(' ')))).toBeUndefined()
    expect(refusal(toolResult('tc_1', text('')))).toBeUndefined()
  })

  it('keeps its bytes: validation trims only a copy', () => {
    const message = user(text('  two spaces\n'))
    validateMessage(message, now)
    expect(message).toEqual(user(text('  two spaces\n')))
  })

  it('needs a tool name on every call', () => {
    expect(refusal(assistant(text('x'), call('tc_1', '')))).toEqual({
      field: 'content',
      reason: 'a tool call needs a tool name',
    })
  })

  it('is of one of three kinds', () => {
    const odd = { ...user(text('x')), type: untyped<'user'>('system') }
    expect(refusal(odd)).toMatchObject({ field: 'type' })
  })

  it('of a model ends for a known reason', () => {
    const ended = (stopReason: unknown) => ({
      ...assistant(text('x')),
      stopReason: untyped<'unknown'>(stopReason),
    })
    expect(refusal(ended('unknown'))).toBeUndefined()
    for (const reason of ['max_tokens', '', undefined])
      expect(refusal(ended(reason))).toMatchObject({ field: 'stop_reason' })
  })

  it('needs a call id if it is a result', () => {
    expect(refusal(toolResult('', text('x')))).toEqual({
      field: 'tool_call_id',
      reason: 'a tool result needs the id of its call',
    })
  })
})

describe('a timestamp', () => {
  const hour = 3_600_000
  const century = 36_525 * 24 * hour
  const at = (ms: number) => ({ ...user(text('x')), timestamp: new Date(ms).toISOString() })

  it('may be one hour in the future, and not a millisecond more', () => {
    expect(refusal(at(now + hour))).toBeUndefined()
    expect(refusal(at(now + hour + 1))).toEqual({
      field: 'timestamp',
      reason: 'more than an hour in the future: 2026-02-18T13:00:00.001Z',
    })
  })

  it('may be 100 years in the past, and not a millisecond more', () => {
    expect(refusal(at(now - century))).toBeUndefined()
    expect(refusal(at(now - century - 1))).toMatchObject({ field: 'timestamp' })
  })

  it.each(['2026-02-18T12:00:00Z', '2026-02-18T12:00:00.123456Z', '2026-02-18T13:00:00+01:00'])(
    'is ISO 8601: %s',
    (written) => {
      expect(refusal({ ...user(text('x')), timestamp: written })).toBeUndefined()
    },
  )

  it.each([
    '',
    'yesterday',
    'Feb 18, 2026',
    '2026',
    '2026-02-18',
    '2026-02-18T12:00:00',
    '2026-13-01T00:00:00Z',
  ])('is rejected unless it is ISO 8601 with a zone: %j', (written) => {
    expect(refusal({ ...user(text('x')), timestamp: written })).toEqual({
      field: 'timestamp',
      reason: `not an ISO 8601 time: ${written}`,
    })
  })

  it.each(kinds)('is checked in a %s message', (kind) => {
    const block = kind === 'assistant' ? blocks.thinking : blocks.text
    expect(refusal({ ...holding[kind](block), timestamp: 'now' })).toMatchObject({ field: 'timestamp' })
  })
})

describe('reading a message', () => {
  const message = assistant(
    blocks.thinking,
    text('I look '),
    call('tc_1'),
    text('at two files.'),
    call('tc_2', 'grep'),
  )

  it('returns its calls in order', () => {
    expect(toolCalls(message)).toEqual([call('tc_1'), call('tc_2', 'grep')])
    expect(toolCalls(user(text('x')))).toEqual([])
  })

  it('reports whether there are calls', () => {
    expect([message, assistant(text('x')), user(text('x'))].map(hasToolCalls)).toEqual([true, false, false])
  })

  it('counts the context blocks before its own', () => {
    expect(
      [user(text('x')), { ...user(text('where'), text('x')), metadata: { context: '1' } }].map(contextLength),
    ).toEqual([0, 1])
  })

  it('joins its text without thinking', () => {
    expect(textContent(message)).toBe('I look at two files.')
    expect(textContent(user(blocks.image))).toBe('')
  })
})

describe('a tool result without output', () => {
  it('holds a mark, which is no output', () => {
    const [block] = resultContent([])
    expect(block).toEqual(text(noOutput))
    expect(outputText(noOutput)).toBe('')
  })

  it('leaves all other output as it is', () => {
    expect(resultContent([text('a'), text('')])).toEqual([text('a'), text('')])
    expect(outputText(` ${noOutput}`)).toBe(` ${noOutput}`)
  })
})
