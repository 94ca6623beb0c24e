import { describe, expect, it } from 'vitest'
import { text } from '../../support/messages/messages.ts'
import { ask, failure, pull } from '../../support/models/asking.ts'
import { event } from '../../support/vendors/responses-sse.ts'
import { end, responses, start } from './playback.ts'

const half = start + event('response.output_text.delta', { output_index: 0, delta: 'Half' })

/** Error codes and their meaning. */
const errors: readonly (readonly [code: string, message: string, ours: string])[] = [
  ['server_error', 'The server had an error', 'overloaded'],
  ['server_is_overloaded', 'Overloaded', 'overloaded'],
  ['slow_down', 'Slow down', 'overloaded'],
  ['rate_limit_exceeded', 'Rate limit reached', 'rate_limited'],
  ['insufficient_quota', 'You exceeded your current quota', 'rate_limited'],
  ['context_length_exceeded', 'Your input exceeds the limit', 'context_overflow'],
  ['invalid_prompt', 'Your prompt was flagged', 'invalid'],
  ['invalid_prompt', 'Your input exceeds the context window of this model', 'context_overflow'],
  ['invalid_image_format', 'Not an image', 'invalid'],
  ['image_too_large', 'The image is too large', 'invalid'],
  ['image_content_policy_violation', 'Not this image', 'invalid'],
  ['cyber_policy', 'Not allowed', 'invalid'],
  ['unsupported_file', 'Not a PDF', 'invalid'],
  ['invalid_api_key', 'Who are you?', 'auth'],
  ['model_not_found', 'No such model', 'not_found'],
]

describe('an error inside a stream', () => {
  const forms: Readonly<Record<string, (code: string, message: string) => string>> = {
    'an event of its own': (code, message) => event('error', { code, message, param: null }),
    'an event with an error in it': (code, message) => event('error', { error: { code, message } }),
    'a response that failed': (code, message) =>
      event('response.failed', { response: { status: 'failed', error: { code, message } } }),
  }
  const cases = Object.entries(forms).flatMap(([form, compose]) =>
    errors.map(([code, message, ours]) => [form, code, ours, message, compose(code, message)] as const),
  )

  it.each(cases)('as %s, %s, is %s', async (_, __, ours, message, last) => {
    for (const bytes of [half + last, half + last.replace(/^event:.*\n/, '')]) {
      const { reply, error } = await pull(responses({ bytes }))
      expect(error).toMatchObject({
        name: 'PipeError',
        code: ours,
        message: expect.stringMatching(`: ${message.replace('?', '\\?')}$`),
        details: {},
      })
      expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
    }
  })

  it('is reported for a reply that ends only with [DONE], as it was cut', async () => {
    expect(await failure(responses({ bytes: `${half}data: [DONE]\n\n` }))).toMatchObject({ code: 'network' })
  })

  it('is reported for a failed response without a reason', async () => {
    const { reply, error } = await pull(responses({ bytes: half + end('failed', { error: null }) }))
    expect(error).toMatchObject({ code: 'overloaded', message: 'openai failed: no reason given' })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it('is not reported if the response has none', async () => {
    const bytes = half + end('completed', { error: null })
    expect(await ask(responses({ bytes }))).toMatchObject({
      content: [text('Half')],
      stopReason: 'end_turn',
    })
  })
})

describe('a failing status', () => {
  it.each<[number, object | string, string]>([
    [400, { message: 'a bad value', code: 'invalid_value' }, 'invalid'],
    [
      400,
      {
        message: 'Your input exceeds the context window of this model.',
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
      },
      'context_overflow',
    ],
    [401, { message: 'bad key', code: 'invalid_api_key' }, 'auth'],
    [404, { message: 'no such model', code: 'model_not_found' }, 'not_found'],
    [429, { message: 'slow down', code: 'rate_limit_exceeded' }, 'rate_limited'],
    [500, 'oops', 'overloaded'],
  ])('%i %j is %s', async (status, error, code) => {
    const bytes = JSON.stringify({ error })
    expect(await failure(responses({ status, bytes }))).toMatchObject({
      name: 'PipeError',
      code,
      details: { status: String(status) },
    })
  })
})

it('reports a body of other JSON with its address', async () => {
  expect(await failure(responses({ bytes: '{"ok":true}' }))).toMatchObject({
    code: 'protocol',
    message:
      'openai answered https://api.example.com/v1/responses with JSON ({"ok":true}) instead of a reply; the base URL is probably wrong',
  })
})
