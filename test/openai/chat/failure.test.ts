import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { text } from '../../support/messages/messages.ts'
import { ask, failure, pull } from '../../support/models/asking.ts'
import { chat, delta, sse } from './playback.ts'

/** An error in the dialect's own format. */
const said = (message: string, fields: object = {}) => JSON.stringify({ error: { message, ...fields } })

describe('a failing status', () => {
  it.each<[number, string, string, string]>([
    [401, said('bad key'), 'auth', 'openai did not accept the API key (401): bad key'],
    [403, '', 'auth', 'openai did not accept the API key (403): no reason given'],
    [
      404,
      said('no such model'),
      'not_found',
      'openai does not know the model "asked", or https://api.example.com/v1/chat/completions is not its address (404): no such model',
    ],
    [400, said('a bad value'), 'invalid', 'openai refused the request (400): a bad value'],
    [
      422,
      JSON.stringify({ detail: 'a bad value' }),
      'invalid',
      'openai refused the request (422): a bad value',
    ],
    [
      400,
      said('too much', { code: 'context_length_exceeded' }),
      'context_overflow',
      'the conversation is too long for asked (400): too much',
    ],
    [
      400,
      said('prompt is too long: 9 > 8'),
      'context_overflow',
      'the conversation is too long for asked (400): prompt is too long: 9 > 8',
    ],
    [413, '<html>', 'context_overflow', 'the conversation is too long for asked (413): a web page'],
    [429, said('slow down'), 'rate_limited', 'openai limits the request rate (429): slow down'],
    [429, said('request too large, maximum context length'), 'rate_limited', expect.stringContaining('rate')],
    [500, 'oops\r\n\u001b[31m', 'overloaded', 'openai failed (500): oops [31m'],
    [503, JSON.stringify({ error: 'loading' }), 'overloaded', 'openai failed (503): loading'],
    [302, '', 'protocol', expect.stringContaining('a redirect (302) without a location')],
  ])('%i %s is %s', async (status, bytes, code, message) => {
    expect(await failure(chat({ status, bytes }, { apiKey: 'k-1' }))).toMatchObject({
      name: 'PipeError',
      code,
      message,
      details: { status: String(status) },
    })
  })

  it.each([
    [429, said('no money', { code: 'insufficient_quota' })],
    [402, said('Insufficient Balance')],
    [500, said('insufficient balance (1008)', { type: 'api_error' })],
  ])('%i without credit is not retried', async (status, bytes) => {
    expect(await failure(chat({ status, bytes }))).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('the account at openai has no credit left'),
      details: { status: String(status), should_retry: 'false' },
    })
  })

  it.each<[string, number, string, string, string]>([
    [
      'an error in JSON',
      400,
      said('prompt is too long: 213000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
      'context_overflow',
      'the conversation is too long for asked (400): Provider returned error: prompt is too long: 213000 tokens > 200000 maximum',
    ],
    [
      'a code',
      400,
      said('too much', { code: 'context_length_exceeded' }),
      'context_overflow',
      'the conversation is too long for asked (400): Provider returned error: too much',
    ],
    [
      'plain text',
      429,
      'm-1 is rate-limited upstream',
      'rate_limited',
      'openai limits the request rate (429): Provider returned error: m-1 is rate-limited upstream',
    ],
    [
      'an error in a list',
      400,
      `[${said('The input token count (9) exceeds the maximum number of tokens allowed (8).')}]`,
      'context_overflow',
      expect.stringContaining('Provider returned error: The input token count (9)'),
    ],
    ['nothing', 502, ' ', 'overloaded', 'openai failed (502): Provider returned error'],
  ])('tells what the server behind a gateway said: %s', async (_, status, raw, code, message) => {
    const bytes = said('Provider returned error', { code: status, metadata: { raw, provider_name: 'Other' } })
    expect(await failure(chat({ status, bytes }))).toMatchObject({ code, message })
  })

  it('is retried if the model made a call that the server did not accept', async () => {
    const error = {
      message: 'Failed to call a function.',
      type: 'invalid_request_error',
      code: 'tool_use_failed',
    }
    const wanted = { code: 'invalid', details: { should_retry: 'true' } }
    expect(await failure(chat({ status: 400, bytes: JSON.stringify({ error }) }))).toMatchObject(wanted)
    const bytes = sse({ error: { ...error, status_code: 400 } })
    expect(await failure(chat({ bytes }))).toMatchObject(wanted)
  })

  it('is retried if a rate limit only mentions billing', async () => {
    const bytes = said('Rate limit reached. Add a payment method at https://example.com/account/billing.')
    expect(await failure(chat({ status: 429, bytes }))).toHaveProperty('details', { status: '429' })
  })

  it('never shows the key, and quotes at most 300 characters', async () => {
    const bytes = said(`sk-secret is wrong ${'x'.repeat(400)}`)
    const error = String(await failure(chat({ status: 401, bytes }, { apiKey: 'sk-secret' })))
    expect(error).toContain('[key] is wrong xxx')
    expect(error).not.toContain('sk-secret')
    expect(error.slice(error.indexOf('[key]'))).toHaveLength(300)
  })

  it('reports a missing key', async () => {
    expect(await failure(chat({ status: 401, bytes: '' }))).toMatchObject({
      message: 'openai requires an API key, but none is set (401): no reason given',
    })
  })
})

describe('an error inside a stream', () => {
  it.each<[string, string, string]>([
    ['a number as code', said('busy', { code: 503 }), 'overloaded'],
    ['a text as code', said('busy', { code: '429' }), 'rate_limited'],
    ['a status code', said('bad', { type: 'x', status_code: 400 }), 'invalid'],
    ['a type', said('bad', { type: 'invalid_request_error' }), 'invalid'],
    ['a type for limits', said('slow', { type: 'rate_limit_error' }), 'rate_limited'],
    ['a type for keys', said('who?', { type: 'authentication_error' }), 'auth'],
    ['an overflow', said('maximum context length is 8', { code: 400 }), 'context_overflow'],
    ['an overflow without a code', said('maximum context length is 8'), 'context_overflow'],
    ['no code at all', said('oops'), 'overloaded'],
    ['a text', JSON.stringify({ error: 'oops' }), 'overloaded'],
    ['a code of HTTP', said('wait', { type: 'api_error', http_code: '429' }), 'rate_limited'],
    ['no credit', said('insufficient balance (1008)', { type: 'api_error' }), 'rate_limited'],
    ['only a message and a number', JSON.stringify({ message: 'bad', status: 400 }), 'invalid'],
    ['only a message and a word', JSON.stringify({ code: 'InvalidParameter', message: 'bad' }), 'invalid'],
    ['an object of its own', JSON.stringify({ object: 'error', message: 'bad', code: 400 }), 'invalid'],
  ])('with %s', async (_, json, code) => {
    const bytes = sse(delta({ content: 'Half' })).replace('[DONE]', json)
    const { reply, error } = await pull(chat({ bytes }))
    expect(error).toMatchObject({ name: 'PipeError', code })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it.each([
    { code: 0, message: 'OK' },
    { code: 'ok', message: 'it goes on' },
    { type: 'note', message: 'it goes on' },
  ])('is not %j', async (other) => {
    expect(await ask(chat({ bytes: sse(other, delta({ content: 'Half' }, 'stop')) }))).toMatchObject({
      content: [text('Half')],
    })
  })

  it('does not invent a status', async () => {
    expect(await failure(chat({ bytes: sse({ error: { message: 'oops' } }) }))).toMatchObject({
      message: 'openai failed: oops',
      details: {},
    })
  })

  it('may be marked by its event name', async () => {
    const bytes = 'event: error\ndata: {"message":"busy","code":503}\n\n'
    expect(await failure(chat({ bytes }))).toMatchObject({
      code: 'overloaded',
      message: 'openai failed (503): busy',
      details: { status: '503' },
    })
  })
})

it('reports a body of other JSON with its address', async () => {
  expect(await failure(chat({ bytes: '{"ok":true}' }))).toMatchObject({
    code: 'protocol',
    message:
      'openai answered https://api.example.com/v1/chat/completions with JSON ({"ok":true}) instead of a reply; the base URL is probably wrong',
  })
})

describe('a reply', () => {
  const whole = sse(delta({ content: 'Half' }), delta({}, 'stop')).replace('data: [DONE]\n\n', '')

  it.each([
    ['the connection ends', {}],
    ['the connection breaks', { failure: new PipeError('network', 'reset') }],
    ['the server falls silent', { failure: new PipeError('timeout', 'silent') }],
  ])('is complete if %s after the stop reason', async (_, ending) => {
    const reply = await ask(chat({ bytes: whole, ...ending }))
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'end_turn' })
  })
})
