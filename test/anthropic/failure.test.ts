import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { complete, type Provider } from '../../src/provider.ts'
import { event } from '../support/anthropic-sse.ts'
import { text, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'
import { claude, end, reason, say, start } from './playback.ts'

const request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }
const { signal } = new AbortController()
const failure = (provider: Provider) => thrown(() => complete(provider, request, { signal }))

/** An error in the dialect's own form. */
const said = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})

/** What each type of error means, with the status it comes with. */
const errors: readonly (readonly [status: number, type: string, message: string, code: string])[] = [
  [400, 'invalid_request_error', 'messages: at least one', 'invalid'],
  [400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum', 'context_overflow'],
  [
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 7 + 2 > 8',
    'context_overflow',
  ],
  [400, 'invalid_request_error', 'Your credit balance is too low to use the API', 'rate_limited'],
  [401, 'authentication_error', 'invalid x-api-key', 'auth'],
  [402, 'billing_error', 'payment is due', 'rate_limited'],
  [403, 'permission_error', 'not for this key', 'auth'],
  [404, 'not_found_error', 'model: asked', 'not_found'],
  [413, 'request_too_large', 'more than 32 MB', 'context_overflow'],
  [429, 'rate_limit_error', 'too many tokens a minute', 'rate_limited'],
  [500, 'api_error', 'Internal server error', 'overloaded'],
  [504, 'timeout_error', 'timed out', 'overloaded'],
  [529, 'overloaded_error', 'Overloaded', 'overloaded'],
]

describe('an error', () => {
  it.each(errors)('of status %i, %s: %s', async (status, type, message, code) => {
    const provider = claude({ status, bytes: JSON.stringify(said(type, message)) }, { apiKey: 'k-1' })
    expect(await failure(provider)).toMatchObject({
      name: 'PipeError',
      code,
      message: expect.stringMatching(`(${status}): ${message}`.replace(/[().+`]/g, '\\$&')),
      details: { status: String(status) },
    })
  })

  it.each(errors)('inside a stream that would be %i, %s: %s', async (_, type, message, code) => {
    const bytes = start + say('Half') + event('error', said(type, message))
    const stream = claude({ bytes }).stream(request, { signal })
    const error = await thrown(async () => {
      for await (const _ of stream);
    })
    expect(error).toMatchObject({ name: 'PipeError', code, message: expect.stringContaining(message) })
    expect(stream.message()).toMatchObject({
      content: [text('Half')],
      stopReason: 'error',
      usage: { inputTokens: 3, outputTokens: 1 },
    })
  })

  it('keeps what the headers say', async () => {
    const headers = { 'retry-after': '3', 'x-should-retry': 'true', 'request-id': 'req_1' }
    expect(await failure(claude({ status: 529, bytes: '', headers }))).toMatchObject({
      details: { status: '529', retry_after_ms: '3000', should_retry: 'true', request_id: 'req_1' },
    })
  })

  it('never shows the key', async () => {
    const bytes = JSON.stringify(said('authentication_error', 'sk-ant-secret is wrong'))
    const error = await failure(claude({ status: 401, bytes }, { apiKey: 'sk-ant-secret' }))
    expect(String(error)).toContain('anthropic did not accept the API key (401): [key] is wrong')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})

describe('a body that is no reply', () => {
  const wrong = 'instead of a reply; the base URL is probably wrong'
  const url = 'https://api.example.com/v1/messages'
  it.each([
    ['a web page', '\n<!doctype html><html>', `anthropic answered ${url} with a web page ${wrong}`],
    ['JSON of another kind', '{"ok":true}', `anthropic answered ${url} with JSON ({"ok":true}) ${wrong}`],
    ['an event that is no JSON', 'data: hello\n\n', 'anthropic sent what is no JSON object: hello'],
  ])('is %s', async (_, bytes, message) => {
    expect(await failure(claude({ bytes }))).toMatchObject({ code: 'protocol', message })
  })

  it('is an error with status 200', async () => {
    const bytes = JSON.stringify(said('overloaded_error', 'Overloaded'))
    expect(await failure(claude({ bytes }))).toMatchObject({ code: 'overloaded' })
  })
})

describe('a reply that is cut', () => {
  const reset = new PipeError('network', 'reset')

  it.each([
    ['between two events', start + say('Half')],
    ['in an event', `${start}${say('Half')}event: message_delta\ndata: {"type":"message_de`],
    ['before its first byte', ''],
    ['after the reason to stop', start + say('Half') + reason('end_turn')],
    ['in its last event', (start + end()).slice(0, -6)],
  ])('%s is a network error', async (_, bytes) => {
    expect(await failure(claude({ bytes }))).toMatchObject({
      code: 'network',
      message: 'the reply of anthropic was cut off',
    })
  })

  it('passes the error of the connection on', async () => {
    expect(await failure(claude({ bytes: start + reason('end_turn'), failure: reset }))).toBe(reset)
  })

  it('is whole where only the blank line after its last event is missing', async () => {
    const bytes = (start + say('Whole') + end()).trimEnd()
    expect(await complete(claude({ bytes }), request, { signal })).toMatchObject({
      content: [text('Whole')],
      stopReason: 'end_turn',
    })
  })
})
