import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { complete, type Provider } from '../../src/provider.ts'
import { event, partEvent } from '../support/gemini-sse.ts'
import { text } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'
import { gemini, request } from './playback.ts'

const { signal } = new AbortController()
const failure = (provider: Provider) => thrown(() => complete(provider, request, { signal }))

/** An error in the dialect's own form. */
const said = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, message, status, ...(details.length > 0 ? { details } : {}) },
})
const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason })
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay })
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'requests', quotaId }],
})

const errors: readonly (readonly [body: ReturnType<typeof said>, code: string])[] = [
  [said(400, 'INVALID_ARGUMENT', 'Invalid value at tools'), 'invalid'],
  [said(400, 'FAILED_PRECONDITION', 'User location is not supported'), 'invalid'],
  [said(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'), 'auth'],
  [said(400, 'INVALID_ARGUMENT', 'No.', info('API_KEY_INVALID')), 'auth'],
  [
    said(
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    ),
    'context_overflow',
  ],
  [said(401, 'UNAUTHENTICATED', 'Who are you?'), 'auth'],
  [said(403, 'PERMISSION_DENIED', 'Not for you.'), 'auth'],
  [said(404, 'NOT_FOUND', 'models/asked is not found'), 'not_found'],
  [said(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'), 'rate_limited'],
  [said(500, 'INTERNAL', 'An internal error has occurred.'), 'overloaded'],
  [said(503, 'UNAVAILABLE', 'The model is overloaded.'), 'overloaded'],
  [said(504, 'DEADLINE_EXCEEDED', 'Too slow.'), 'overloaded'],
]

describe('an error', () => {
  it.each(errors)('%j is %s, alone or in a list', async (body, code) => {
    const { code: status, message } = body.error
    for (const bytes of [body, [body]].map((answer) => JSON.stringify(answer)))
      expect(await failure(gemini({ status, bytes }, { apiKey: 'k-1' }))).toMatchObject({
        name: 'PipeError',
        code,
        message: expect.stringContaining(`(${status}): ${message}`),
        details: { status: String(status) },
      })
  })

  it.each(errors)('%j is %s inside a stream too', async (body, code) => {
    const stream = gemini({ bytes: partEvent({ text: 'Half' }) + event(body) }).stream(request, { signal })
    const error = await thrown(async () => {
      for await (const _ of stream);
    })
    expect(error).toMatchObject({ name: 'PipeError', code, details: { status: String(body.error.code) } })
    expect(stream.message()).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it.each(errors)(
    '%j is %s where only its word tells',
    async ({ error: { status, message, ...rest } }, code) => {
      const { code: _, ...wordy } = { ...rest, status, message }
      expect(await failure(gemini({ bytes: event({ error: wordy }) }))).toMatchObject({ code })
    },
  )

  it('is one in a list with status 200', async () => {
    const bytes = JSON.stringify([{ candidates: [] }, said(503, 'UNAVAILABLE', 'The model is overloaded.')])
    expect(await failure(gemini({ bytes }))).toMatchObject({ code: 'overloaded' })
  })

  it('says how long to wait, unless a header does', async () => {
    const bytes = JSON.stringify(
      said(429, 'RESOURCE_EXHAUSTED', 'Wait.', quota('PerMinute'), retry('34.07s')),
    )
    expect(await failure(gemini({ status: 429, bytes }))).toHaveProperty('details', {
      status: '429',
      retry_after_ms: '34070',
    })
    expect(await failure(gemini({ status: 429, bytes, headers: { 'retry-after': '3' } }))).toHaveProperty(
      'details',
      { status: '429', retry_after_ms: '3000' },
    )
  })

  it.each([
    ['a day is over', 'Quota exceeded.', quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')],
    ['there is none', 'Quota exceeded for metric: free_tier_requests, limit: 0, model: asked', quota('')],
    ['it is paid for', 'Your prepayment credits are depleted.', quota('')],
  ])('of a quota is not retried before %s', async (_, message, detail) => {
    const bytes = JSON.stringify(said(429, 'RESOURCE_EXHAUSTED', message, detail, retry('34s')))
    expect(await failure(gemini({ status: 429, bytes }))).toMatchObject({
      code: 'rate_limited',
      details: { should_retry: 'false' },
    })
  })

  it('never shows the key', async () => {
    const bytes = JSON.stringify(
      said(400, 'INVALID_ARGUMENT', 'AIza-secret is wrong', info('API_KEY_INVALID')),
    )
    const error = await failure(gemini({ status: 400, bytes }, { apiKey: 'AIza-secret' }))
    expect(String(error)).toContain('gemini did not accept the API key (400): [key] is wrong')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})

describe('a body that is no reply', () => {
  const url = 'https://api.example.com/v1beta/models/asked:streamGenerateContent'
  it.each([
    ['a web page', '\n<!doctype html><html>', `gemini answered ${url} with a web page`],
    ['JSON of another kind', '{"ok":true}', `gemini answered ${url} with JSON ({"ok":true})`],
    ['a list of another kind', '[1]', `gemini answered ${url} with JSON ([1])`],
    ['an event that is no JSON', 'data: hello\n\n', 'gemini sent what is no JSON object: hello'],
  ])('is %s', async (_, bytes, message) => {
    expect(await failure(gemini({ bytes }))).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining(message),
    })
  })
})

describe('a reply that is cut', () => {
  const half = partEvent({ text: 'Half' })
  const whole = partEvent({ text: 'Whole' }, { finishReason: 'STOP' })
  const reset = new PipeError('network', 'reset')

  it.each([
    ['between two events', half],
    ['in an event', half + whole.slice(0, -20)],
    ['before its first byte', ''],
  ])('%s is a network error', async (_, bytes) => {
    expect(await failure(gemini({ bytes }))).toMatchObject({
      code: 'network',
      message: 'the reply of gemini was cut off',
    })
  })

  it('passes the error of the connection on', async () => {
    expect(await failure(gemini({ bytes: half, failure: reset }))).toBe(reset)
  })

  it('is whole after the reason to stop', async () => {
    for (const answer of [{ bytes: whole.trimEnd() }, { bytes: whole, failure: reset }])
      expect(await complete(gemini(answer), request, { signal })).toMatchObject({
        content: [text('Whole')],
        stopReason: 'end_turn',
      })
  })
})
