import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { text } from '../support/messages/messages.ts'
import { failure, pull } from '../support/models/asking.ts'
import { event } from '../support/vendors/anthropic-sse.ts'
import { claude, reason, say, start } from './playback.ts'

/** An error in the dialect's own format. */
const said = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})

/** Types of errors with their status and meaning. */
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

  it.each(errors)('inside a stream instead of %i, %s: %s', async (_, type, message, code) => {
    const bytes = start + say('Half') + event('error', said(type, message))
    const { reply, error } = await pull(claude({ bytes }))
    expect(error).toMatchObject({ name: 'PipeError', code, message: expect.stringContaining(message) })
    expect(reply).toMatchObject({
      content: [text('Half')],
      stopReason: 'error',
      usage: { inputTokens: 3, outputTokens: 1 },
    })
  })
})

it('reports a body of other JSON with its address', async () => {
  expect(await failure(claude({ bytes: '{"ok":true}' }))).toMatchObject({
    code: 'protocol',
    message:
      'anthropic answered https://api.example.com/v1/messages with JSON ({"ok":true}) instead of a reply; the base URL is probably wrong',
  })
})

it('reports a reply cut after the stop reason as a network error', async () => {
  expect(await failure(claude({ bytes: start + say('Half') + reason('end_turn') }))).toMatchObject({
    code: 'network',
    message: 'the reply of anthropic was cut off',
  })
})

it('passes on the error of the connection after the stop reason', async () => {
  const reset = new PipeError('network', 'reset')
  expect(await failure(claude({ bytes: start + reason('end_turn'), failure: reset }))).toBe(reset)
})
