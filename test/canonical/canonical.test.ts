import { describe, expect, it } from 'vitest'
import {
  type CanonicalMessage,
  canonicalFault,
  canonicalHistory,
  checkCanonicalMessage,
  contentLength,
  createCanonicalMessage,
  encodeCanonicalMessage,
  encodeTokenUsage,
  formatTime,
  isEmptyMessage,
  readCanonicalMessage,
  sentinelError,
} from '../../src/canonical/canonical.ts'
import { validateTransition } from '../../src/engine.ts'
import { isPipeError, type PipeError } from '../../src/error.ts'
import { messageId, now } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'
import { untyped } from '../support/untyped.ts'

const hour = 3_600_000
const timestamp = formatTime(now)

function said(fields: Partial<CanonicalMessage> = {}): CanonicalMessage {
  return { ...createCanonicalMessage('user', 'Hello', { id: messageId(1), timestamp }), ...fields }
}

function faultOf(fields: Partial<CanonicalMessage>): string | undefined {
  return canonicalFault(said(fields), now)?.field
}

async function errorOf(act: () => unknown): Promise<PipeError> {
  const error = await thrown(act)
  return isPipeError(error) ? error : expect.fail(String(error))
}

describe('a canonical message', () => {
  it('has no metadata unless some are given', () => {
    expect(said()).toEqual({ id: messageId(1), role: 'user', content: 'Hello', timestamp, metadata: {} })
    const facts = { id: messageId(1), timestamp, metadata: { source: 'web' } }
    expect(createCanonicalMessage('system', 'Be brief.', facts).metadata).toEqual({ source: 'web' })
  })

  it('has content', () => {
    for (const content of ['', ' ', '\n\t ', '\u00a0\u2003\u3000', '\u0085', '\ufeff']) {
      expect(isEmptyMessage({ content }), JSON.stringify(content)).toBe(true)
      expect(faultOf({ content })).toBe('content')
    }
    for (const content of ['.', ' a ', '\u200b']) expect(faultOf({ content })).toBeUndefined()
  })

  it('has a time of the last 100 years, or an hour ahead at most', () => {
    const at = (ms: number) => faultOf({ timestamp: formatTime(ms) })
    expect(at(now + hour)).toBeUndefined()
    expect(at(now + hour + 1)).toBe('timestamp')
    expect(at(now - 99 * 365.25 * 24 * hour)).toBeUndefined()
    expect(at(now - 101 * 365.25 * 24 * hour)).toBe('timestamp')
  })

  it.each([
    'yesterday',
    '2025-01-20',
    '2025-01-20T10:00:00',
    '2025-02-30T10:00:00Z',
    '2025-13-01T10:00:00Z',
    '2025-01-20T10:61:00Z',
    '2025-01-20T10:00:00+25:00',
    '1737367200',
  ])('refuses the time %s', (time) => expect(faultOf({ timestamp: time })).toBe('timestamp'))

  it('takes a time of any zone, and writes it in UTC as precisely as it came', () => {
    const written = (time: string) => encodeCanonicalMessage(said({ timestamp: time })).timestamp
    expect(faultOf({ timestamp: '2024-02-29T12:30:00+02:30' })).toBeUndefined()
    expect(written('2024-02-29T12:30:00+02:30')).toBe('2024-02-29T10:00:00Z')
    expect(written('2025-01-20T10:00:00Z')).toBe('2025-01-20T10:00:00Z')
    expect(written('2025-01-20T10:00:00.120Z')).toBe('2025-01-20T10:00:00.120Z')
  })

  it('throws the field and the reason', async () => {
    const { code, details } = await errorOf(() => checkCanonicalMessage(said({ content: ' ' }), now))
    expect([code, details]).toEqual(['invalid', { field: 'content', reason: 'Cannot be empty' }])
    expect(() => checkCanonicalMessage(said(), now)).not.toThrow()
  })

  it('counts the bytes of its content', () => {
    expect(contentLength({ content: 'déjà 🌳' })).toBe(11)
  })
})

describe('a canonical message of another program', () => {
  it('is read as it was written, with its metadata or without', () => {
    const written = (message: CanonicalMessage) => JSON.parse(JSON.stringify(encodeCanonicalMessage(message)))
    for (const message of [said(), said({ metadata: { source: 'web' } }), said({ role: 'system' })])
      expect(readCanonicalMessage(written(message), now)).toEqual(message)
    expect(() => checkCanonicalMessage(written(said()), now)).not.toThrow()
  })

  it('keeps an id in lower case, and nothing that is no part of a message', () => {
    const { id, ...others } = said({ id: untyped('123E4567-E89B-12D3-A456-426614174000') })
    const read = readCanonicalMessage({ id, ...others, model: 'm' }, now)
    expect(read).toEqual({ ...others, id: id.toLowerCase() })
  })

  it.each([
    [null, 'message'],
    ['Hello', 'message'],
    [[], 'message'],
    [{}, 'id'],
    [{ ...said(), id: 7 }, 'id'],
    [{ ...said(), role: 'tool' }, 'role'],
    [{ ...said(), content: undefined }, 'content'],
    [{ ...said(), content: { text: 'Hello' } }, 'content'],
    [{ ...said(), timestamp: 1_737_367_200 }, 'timestamp'],
    [{ ...said(), metadata: null }, 'metadata'],
    [{ ...said(), metadata: ['a'] }, 'metadata'],
    [{ ...said(), metadata: { a: 1 } }, 'metadata'],
  ])('that is %j is refused with the part at fault', async (value, field) => {
    for (const read of [readCanonicalMessage, checkCanonicalMessage]) {
      const { code, details } = await errorOf(() => read(untyped(value), now))
      expect([code, details['field']]).toEqual(['invalid', field])
    }
  })
})

describe('a canonical history', () => {
  it('keeps system messages apart, and marks metadata as those of a client', () => {
    const metadata = { manifest: '{}', compacted_through: 'x' }
    const { systemPrompt, messages } = canonicalHistory([
      said({ role: 'system', content: 'Be brief.' }),
      said({ metadata }),
      said({ role: 'assistant', content: 'Hello too.' }),
      said({ role: 'system', content: 'And kind.' }),
    ])
    expect(systemPrompt).toBe('Be brief.\n\nAnd kind.')
    expect(messages).toMatchObject([
      { type: 'user', metadata: { 'client.manifest': '{}', 'client.compacted_through': 'x' } },
      { type: 'assistant', content: [{ type: 'text', text: 'Hello too.' }] },
    ])
  })
})

it('sums the tokens of a prompt and its completion', () => {
  expect(encodeTokenUsage({ inputTokens: 100, outputTokens: 50, cacheReadTokens: 80 })).toEqual({
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
  })
})

it('describes errors as the rules that they report', async () => {
  expect(sentinelError(await errorOf(() => validateTransition('idle', 'reflecting')))).toEqual({
    type: 'invalid_state_transition',
    from: 'idle',
    to: 'reflecting',
  })
  expect(sentinelError(await errorOf(() => checkCanonicalMessage(said({ content: '' }), now)))).toEqual({
    type: 'invalid_message',
    reason: 'Cannot be empty',
  })
  expect(sentinelError({ details: { rule: 'Bash(rm:*)' } })).toEqual({
    type: 'domain_violation',
    rule: 'Bash(rm:*)',
  })
  expect(sentinelError({ details: {} })).toBeUndefined()
})
